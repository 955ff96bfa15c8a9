/** The slope of leaky relu below 0. */
export const LEAK: f32 = 0.2;
