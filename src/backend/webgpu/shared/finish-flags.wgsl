// Bits of the parameter `finish`: what is done to a sum, in this order, before it is stored.
const ADDED = 1u; // to the value already stored
const BIASED = 2u;
const RELU = 4u;
