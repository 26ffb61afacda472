// An order waits for its payment, for fifteen minutes at most, then ships.
#include <boost/describe.hpp>
#include <cstdio>

#include "holdfast/node.h"

using namespace std::chrono_literals;
using holdfast::Context;
using holdfast::Flow;

struct Order {
    std::string id;
    int total = 0;
};
BOOST_DESCRIBE_STRUCT(Order, (), (id, total))

struct Receipt {
    std::string order;
    std::string status;
    std::string parcel;
};
BOOST_DESCRIBE_STRUCT(Receipt, (), (order, status, parcel))

Flow<Receipt> checkout(Context& ctx, Order order, int timeout_ms) {
    co_await ctx.step("reserve", [&] { return "stock for " + order.id; });

    const auto time = std::chrono::milliseconds(timeout_ms);
    const auto paid = co_await ctx.any(ctx.event<int>("payment"), ctx.sleep(time));
    if (paid.index() == 1) {
        co_await ctx.step("give back", [] {});
        co_return Receipt{.order = order.id, .status = "expired"};
    }
    if (std::get<0>(paid) < order.total)
        co_return Receipt{.order = order.id, .status = "underpaid"};

    const auto parcel = co_await ctx.step("ship", [&] { return "parcel-" + order.id; });
    co_return Receipt{.order = order.id, .status = "shipped", .parcel = parcel};
}

int main(int argc, char** argv) {
    holdfast::Node node{argc > 1 ? argv[1] : "memory:"};
    node.add("checkout", checkout);

    const Order tea{.id = "tea", .total = 12};
    const Order jam{.id = "jam", .total = 5};
    const std::string paid = node.start("checkout", tea, 900'000);
    const std::string late = node.start("checkout", jam, 50);
    node.send(paid, "payment", 12);

    for (const std::string& id : {paid, late}) {
        const Receipt receipt = node.result<Receipt>(id);
        std::printf("%s: %s %s\n", receipt.order.c_str(), receipt.status.c_str(),
                    receipt.parcel.c_str());
    }
}
