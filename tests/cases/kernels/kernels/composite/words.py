def words(count):
    return ["word"] * count
