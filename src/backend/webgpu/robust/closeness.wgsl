// How much a neighbour at a distance counts beside one with the exponent `top`, the closest of those that weigh anything. Others
// may be closer, but none counts more than a float can say.
// params: temperature f32

fn closeness(distance: f32, top: f32) -> f32 { return exp(min(-distance / params.temperature - top, 60.0)); }
