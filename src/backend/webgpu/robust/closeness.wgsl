// What a neighbour at a distance counts, relative to the closest one with a positive weight, whose exponent is `top`.
// Neighbours without weight may be closer; the bound 60 keeps their result finite.
// params: temperature f32

fn closeness(distance: f32, top: f32) -> f32 { return exp(min(-distance / params.temperature - top, 60.0)); }
