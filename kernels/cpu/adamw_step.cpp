#include <nimble_ops/adamw_step.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "pieces.h"

namespace nimble::cpu {
namespace {

/// So many elements of every tensor fit into the first cache.
constexpr int64_t kBlock = 256;

template <class T>
using Block = std::array<T, static_cast<size_t>(kBlock)>;

/// Part of a row, the same of each tensor.
struct Part {
  int64_t row;
  int64_t first;
  int64_t count;
};

template <class T, class F>
void with_part(const Rows<T>& rows, const Part& part, const F& f) {
  T* elements = rows[part.row] + part.first * rows.stride();
  with_strides([&](auto stride) { f(elements, stride); }, rows.stride());
}

template <class T>
void load(const Rows<T>& rows, const Part& part, Block<accumulate_t<std::remove_const_t<T>>>& block) {
  with_part(rows, part, [&](const T* elements, auto stride) {
    for (int64_t i = 0; i < part.count; ++i) block[static_cast<size_t>(i)] = widen(elements[i * stride]);
  });
}

/// Writes a block, where `mask` is true or null.
template <class T>
void store(const Rows<T>& rows, const Part& part, const Block<accumulate_t<T>>& block, const bool* mask) {
  with_part(rows, part, [&](T* elements, auto stride) {
    const auto write = [&](int64_t i) { elements[i * stride] = narrow<T>(block[static_cast<size_t>(i)]); };
    if (mask == nullptr) {
      for (int64_t i = 0; i < part.count; ++i) write(i);
    } else {
      for (int64_t i = 0; i < part.count; ++i) {
        if (mask[i]) write(i);
      }
    }
  });
}

template <class T>
std::optional<Rows<T>> rows_of(const std::optional<Tensor>& tensor) {
  return tensor ? std::make_optional(Rows<T>(*tensor)) : std::nullopt;
}

/// What a step does to each element, as factors.
template <class T>
struct Coefficients {
  T rate, grad, decay, first_share, second_decay, second_share, first, second, inner_eps, outer_eps, average_share;
};

double learning_rate(const std::string& schedule, int64_t step, int64_t warmup, int64_t total, double lr, double min_lr) {
  if (step <= warmup) return lr * static_cast<double>(step) / static_cast<double>(warmup);
  if (schedule == "constant") return lr;
  const double done = std::min(static_cast<double>(step - warmup) / static_cast<double>(total - warmup), 1.0);
  const double left = schedule == "linear" ? 1 - done : (1 + std::cos(std::acos(-1.0) * done)) / 2;
  return min_lr + (lr - min_lr) * left;
}

}  // namespace

void adamw_step(Tensor& param, const Tensor& grad, Tensor& exp_avg, Tensor& exp_avg_sq, std::optional<Tensor>& max_exp_avg_sq,
                std::optional<Tensor>& average, std::optional<Tensor>& model_param, const std::optional<Tensor>& anchor,
                const std::optional<Tensor>& trainable, const std::optional<Tensor>& grad_scale,
                const std::optional<Tensor>& found_inf, int64_t step, double lr, double lr_scale, const std::string& schedule,
                int64_t warmup_steps, int64_t total_steps, double min_lr, double beta1, double beta2, double eps,
                bool eps_in_root, double weight_decay, bool decoupled, bool bias_correction, bool /*amsgrad*/, bool maximize,
                std::optional<double> clip_grad, std::optional<double> clip_update, double average_decay) {
  const bool skips = found_inf && *found_inf->const_data_ptr<float>() != 0;
  bool flat = true;
  for (const Tensor* tensor : {&std::as_const(param), &grad, &std::as_const(exp_avg), &std::as_const(exp_avg_sq)}) {
    flat = flat && tensor->is_contiguous();
  }
  for (const std::optional<Tensor>* tensor : {&std::as_const(max_exp_avg_sq), &std::as_const(average), &std::as_const(model_param), &anchor, &trainable}) {
    flat = flat && (!*tensor || (*tensor)->is_contiguous());
  }

  dispatch<dtypes::adamw_step::param>(param, [&](auto dtype) {
    using scalar_t = typename decltype(dtype)::type;
    using acc_t = accumulate_t<scalar_t>;
    const Rows<scalar_t> param_rows(param);
    const Rows<const scalar_t> grad_rows(grad);
    const Rows<scalar_t> first_rows(exp_avg);
    const Rows<scalar_t> second_rows(exp_avg_sq);
    const auto largest_rows = rows_of<scalar_t>(max_exp_avg_sq);
    const auto average_rows = rows_of<scalar_t>(average);
    const auto anchor_rows = rows_of<const scalar_t>(anchor);
    const auto trainable_rows = rows_of<const bool>(trainable);

    // All that is the same for each element, computed in double.
    const double power = static_cast<double>(step);
    const double rate = lr_scale * learning_rate(schedule, step, warmup_steps, total_steps, lr, min_lr);
    const double scale = grad_scale ? static_cast<double>(*grad_scale->const_data_ptr<float>()) : 1.0;
    Coefficients<acc_t> coefficients;
    coefficients.rate = static_cast<acc_t>(rate);
    coefficients.grad = static_cast<acc_t>((maximize ? -1 : 1) / scale);
    coefficients.decay = static_cast<acc_t>(decoupled ? rate * weight_decay : weight_decay);
    coefficients.first_share = static_cast<acc_t>(1 - beta1);
    coefficients.second_decay = static_cast<acc_t>(beta2);
    coefficients.second_share = static_cast<acc_t>(1 - beta2);
    coefficients.first = static_cast<acc_t>(bias_correction ? 1 / (1 - std::pow(beta1, power)) : 1);
    coefficients.second = static_cast<acc_t>(bias_correction ? 1 / (1 - std::pow(beta2, power)) : 1);
    coefficients.inner_eps = static_cast<acc_t>(eps_in_root ? eps : 0);
    coefficients.outer_eps = static_cast<acc_t>(eps_in_root ? 0 : eps);
    coefficients.average_share = static_cast<acc_t>(1 - average_decay);

    // Term by term over a block: loops without branches, which are vectorised.
    const auto step_part = [&](const Part& part) {
      const Coefficients<acc_t> c = coefficients;  // here, where no block can overlap it, to stay in registers
      Block<acc_t> p, g, m, v, other;
      Block<bool> mask;
      const auto each = [&](const auto& f) {
        for (size_t i = 0; i < static_cast<size_t>(part.count); ++i) f(i);
      };
      const auto clip = [&](Block<acc_t>& block, double limit) {
        const auto bound = static_cast<acc_t>(limit);
        each([&](size_t i) { block[i] = std::clamp(block[i], -bound, bound); });
      };
      load(param_rows, part, p);
      load(grad_rows, part, g);
      load(first_rows, part, m);
      load(second_rows, part, v);
      if (trainable_rows) load(*trainable_rows, part, mask);
      const bool* written = trainable_rows ? mask.data() : nullptr;

      each([&](size_t i) { g[i] *= c.grad; });
      if (clip_grad) clip(g, *clip_grad);
      if (anchor_rows) {
        load(*anchor_rows, part, other);
        each([&](size_t i) { other[i] = p[i] - other[i]; });
      } else {
        each([&](size_t i) { other[i] = p[i]; });
      }
      if (decoupled) {
        each([&](size_t i) { p[i] -= c.decay * other[i]; });
      } else {
        each([&](size_t i) { g[i] += c.decay * other[i]; });
      }
      each([&](size_t i) {
        m[i] += c.first_share * (g[i] - m[i]);
        v[i] = c.second_decay * v[i] + c.second_share * g[i] * g[i];
      });
      store(first_rows, part, m, written);
      store(second_rows, part, v, written);
      if (largest_rows) {
        load(*largest_rows, part, other);
        each([&](size_t i) { v[i] = std::max(v[i], other[i]); });
        store(*largest_rows, part, v, written);
      }
      each([&](size_t i) {
        m[i] = m[i] * c.first / (std::sqrt(v[i] * c.second + c.inner_eps) + c.outer_eps);
      });
      if (clip_update) clip(m, *clip_update);
      each([&](size_t i) { p[i] -= c.rate * m[i]; });
      store(param_rows, part, p, written);
      if (average_rows) {
        load(*average_rows, part, other);
        each([&](size_t i) { other[i] += c.average_share * (p[i] - other[i]); });
        store(*average_rows, part, other, written);
      }
    };
    const auto for_each_part = [&](const auto& f) {
      const int64_t size = flat ? param.numel() : param_rows.size();
      parallel_for(0, param.numel(), grain_of(1), [&](int64_t begin, int64_t end) {
        for_pieces(begin, end, size, kBlock, [&](int64_t row, int64_t first, int64_t count) { f(Part{row, first, count}); });
      });
    };
    if (!skips) for_each_part(step_part);
    if (!model_param) return;
    dispatch<dtypes::adamw_step::model_param>(*model_param, [&](auto model_dtype) {
      using model_t = typename decltype(model_dtype)::type;
      const Rows<model_t> copy_rows(*model_param);
      for_each_part([&](const Part& part) {
        Block<acc_t> p;
        Block<float> copy;
        load(Rows<const scalar_t>(param), part, p);
        for (size_t i = 0; i < static_cast<size_t>(part.count); ++i) copy[i] = static_cast<float>(p[i]);
        store(copy_rows, part, copy, nullptr);
      });
    });
  });
}

}  // namespace nimble::cpu
