// What happens to a sum before it is stored, in this order: bits of the parameter `finish`.
const ADDED = 1u; // to what is there already
const BIASED = 2u;
const RELU = 4u;
