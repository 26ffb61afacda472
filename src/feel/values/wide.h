// 128-bit integers, which g++ and clang have and the standard lacks.
#pragma once

namespace holdfast::feel {

__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;

}  // namespace holdfast::feel
