fn total(x: vec4f) -> f32 { return (x.x + x.y) + (x.z + x.w); }
