// What a round loads of a list that may be long.
#pragma once

#include <vector>

#include "store/read_set.h"

namespace holdfast {

// A list of which the store may hold more than it loaded.
template <class T>
struct Loading {
    std::vector<T> items;  // oldest first
    bool more = false;
};

// There are more than a round acts on. If not, `more` means that some were not locked: they are
// read again.
template <class T>
bool is_crowd(const Loading<T>& loading) {
    return loading.more && loading.items.size() >= most_receivers;
}

}  // namespace holdfast
