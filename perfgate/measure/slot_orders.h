// SPDX-License-Identifier: Apache-2.0
// slot_orders.h: in which order arms take their slots.
//
// Which arm bears which label is drawn: one of the k! permutations, by its number in lexicographic
// order. What the labels do is fixed. Two and three arms go forth and back (A B, B A), so each is
// first equally often. From four arms on, the orders of the slice pairs are the rows of a Williams
// square (Williams, 1949): every arm stands in every place equally often, and every arm follows
// every other one equally often, so no arm is always measured after the one that warms the cache.
// A square of k arms has k rows, and 2 k where k is odd.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace perfgate::measure {

// k!, for at most 20 arms.
std::uint64_t PermutationCount(int arms);

// The p-th permutation of 0 .. arms-1 in lexicographic order; for two arms 0 is (0,1), 1 is (1,0).
// p < PermutationCount(arms).
std::vector<int> Permutation(std::uint64_t p, int arms);

// Row `row` >= 0 of the Williams square of so many arms; rows repeat.
std::vector<int> WilliamsRow(int row, int arms);

// The arms in the order of slice `slot`, which `order` begins. Negative slots, which warm up, all
// have that order.
std::vector<int> OrderOfSlot(std::span<const int> order, int slot);

}  // namespace perfgate::measure
