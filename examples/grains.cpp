// Grain storage: the state of carts, each under its id and its ETag.
//
//     ./build/bin/example_grains
#include <boost/json.hpp>
#include <iostream>

#include "holdfast/grain_storage.h"

int main() {
    holdfast::GrainStorage grains{"memory:"};
    const std::string id = grains.new_id();
    holdfast::Grain cart = grains.read(id).value_or(holdfast::Grain{.definition = "cart"});
    cart.state = {{"items", 1}};
    grains.write(id, cart);

    holdfast::Grain seen_by_another = *grains.read(id);
    cart.state = {{"items", 2}};
    grains.write(id, cart);
    try {
        grains.write(id, seen_by_another);
    } catch (const holdfast::InconsistentState& stale) {
        std::cout << "refused: " << stale.what() << "\n";
    }
    std::cout << grains.read(id)->state << " at " << cart.etag << "\n";
    grains.clear(id, cart);
    return grains.read(id) ? 1 : 0;
}
