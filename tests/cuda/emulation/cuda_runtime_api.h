// Enough of CUDA to run kernels on a CPU: blocks one after the other, the threads of a block as fibers that yield to one
// another where they wait. So index arithmetic, shared memory, barriers and shuffles are executed, not only compiled. What
// it can't show: races that barriers hide here, coalescing, occupancy.
//
// A barrier that some threads of a block never reach, which is undefined on a GPU, ends the process.
#pragma once

#include <ucontext.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __shared__ static thread_local

using cudaStream_t = void*;
using cudaError_t = int;
constexpr cudaError_t cudaSuccess = 0;
inline cudaError_t cudaGetLastError() { return cudaSuccess; }
inline const char* cudaGetErrorString(cudaError_t) { return "no error"; }

struct alignas(16) uint4 {
  unsigned x, y, z, w;
};
struct alignas(8) uint2 {
  unsigned x, y;
};
struct dim3 {
  unsigned x = 1, y = 1, z = 1;
  dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};
inline thread_local dim3 threadIdx, blockIdx, blockDim, gridDim;

namespace emulation {

constexpr unsigned kWarp = 32;
constexpr size_t kStack = 64 * 1024;

struct Barrier {
  unsigned arrived = 0;
  unsigned generation = 0;
};

struct Block {
  ucontext_t scheduler;
  std::vector<ucontext_t> fibers;
  std::vector<bool> done;
  unsigned current = 0;
  unsigned live = 0;
  std::vector<unsigned> live_in_warp;
  Barrier barrier;
  std::vector<Barrier> warp_barriers;
  std::vector<unsigned char> slots;  // what the threads hand one another
  bool moved = false;
  const std::function<void()>* body = nullptr;
};
inline thread_local Block* block = nullptr;

inline void yield() { swapcontext(&block->fibers[block->current], &block->scheduler); }

inline void wait(Barrier& barrier, const unsigned& expected) {
  const unsigned generation = barrier.generation;
  ++barrier.arrived;
  block->moved = true;
  while (barrier.generation == generation) {
    if (barrier.arrived >= expected) {  // also where the last one to wait for has returned
      barrier.arrived = 0;
      ++barrier.generation;
      block->moved = true;
    } else {
      yield();
    }
  }
}

inline void run_fiber() {
  (*block->body)();
  block->done[block->current] = true;
  --block->live;
  --block->live_in_warp[block->current / kWarp];
  block->moved = true;
  yield();
}

inline void run_block(unsigned threads, const std::function<void()>& body) {
  static thread_local std::vector<char> stacks;
  stacks.resize(threads * kStack);
  Block state;
  block = &state;
  state.fibers.resize(threads);
  state.done.assign(threads, false);
  state.live = threads;
  state.live_in_warp.assign((threads + kWarp - 1) / kWarp, 0);
  state.warp_barriers.resize(state.live_in_warp.size());
  state.slots.resize(threads * 64);
  state.body = &body;
  for (unsigned i = 0; i < threads; ++i) {
    ++state.live_in_warp[i / kWarp];
    getcontext(&state.fibers[i]);
    state.fibers[i].uc_stack.ss_sp = stacks.data() + i * kStack;
    state.fibers[i].uc_stack.ss_size = kStack;
    makecontext(&state.fibers[i], run_fiber, 0);
  }
  while (state.live > 0) {
    state.moved = false;
    for (unsigned i = 0; i < threads; ++i) {
      if (state.done[i]) continue;
      state.current = i;
      threadIdx = dim3(i);
      swapcontext(&state.scheduler, &state.fibers[i]);
    }
    if (!state.moved) {
      std::fprintf(stderr, "a barrier is not reached by all threads of block %u\n", blockIdx.x);
      std::abort();
    }
  }
  block = nullptr;
}

template <class F>
void launch(dim3 blocks, unsigned threads, size_t /*shared*/, cudaStream_t /*stream*/, const F& kernel) {
  const std::function<void()> body = kernel;
  gridDim = blocks;
  blockDim = dim3(threads);
  for (unsigned y = 0; y < blocks.y; ++y) {
    for (unsigned x = 0; x < blocks.x; ++x) {
      blockIdx = dim3(x, y);
      run_block(threads, body);
    }
  }
}

template <class T>
T shuffle(T value, unsigned lane) {
  static_assert(sizeof(T) <= 64);
  const unsigned first = block->current / kWarp * kWarp;
  Barrier& barrier = block->warp_barriers[block->current / kWarp];
  const unsigned& expected = block->live_in_warp[block->current / kWarp];
  std::memcpy(&block->slots[block->current * 64], &value, sizeof(T));
  wait(barrier, expected);
  T result;
  std::memcpy(&result, &block->slots[(first + lane) * 64], sizeof(T));
  wait(barrier, expected);
  return result;
}

}  // namespace emulation

inline void __syncthreads() { emulation::wait(emulation::block->barrier, emulation::block->live); }

inline int __syncthreads_or(int predicate) {
  static thread_local int any = 0;
  __syncthreads();
  if (emulation::block->current == 0) any = 0;
  __syncthreads();
  if (predicate != 0) any = 1;
  __syncthreads();
  return any;
}

template <class T>
T __shfl_xor_sync(unsigned /*mask*/, T value, int lanes) {
  return emulation::shuffle(value, (emulation::block->current % emulation::kWarp) ^ static_cast<unsigned>(lanes));
}

inline float rsqrtf(float x) { return 1 / __builtin_sqrtf(x); }
inline double rsqrt(double x) { return 1 / __builtin_sqrt(x); }

// What the stable ABI has beside this where PyTorch has CUDA.
using CUDAGuardHandle = void*;
inline int aoti_torch_create_cuda_guard(int, CUDAGuardHandle*) { return 0; }
inline int aoti_torch_delete_cuda_guard(CUDAGuardHandle) { return 0; }
inline int aoti_torch_get_current_cuda_stream(int, void**) { return 0; }
