// Elementwise functions and their slopes, numbered as in elementwise.ts. T is f32 or vec4f.
// uses: tanh
// constants: T, KIND

const LEAKY_SLOPE = 0.2;

fn relu(x: T) -> T { return max(x, T(0.0)); }
fn leakyRelu(x: T) -> T { return select(LEAKY_SLOPE * x, x, x > T(0.0)); }

// exp(x) - 1 cancels near 0, where four terms of the series are exact to the last bits.
fn expm1(x: T) -> T {
  let series = x * (T(1.0) + x * (T(0.5) + x * (T(0.16666667) + x * T(0.041666668))));
  return select(exp(x) - T(1.0), series, abs(x) < T(0.03));
}
fn elu(x: T) -> T { return select(expm1(min(x, T(0.0))), x, x > T(0.0)); }

// On some devices log(0) is not −∞.
fn logOf(x: T) -> T { return select(log(x), T(-1.0) / abs(x), x == T(0.0)); }
fn rsqrtOf(x: T) -> T { return select(T(1.0) / sqrt(x), T(0.0), x == T(0.0)); }
fn reciprocal(x: T) -> T { return select(T(1.0) / x, T(0.0), x == T(0.0)); }

fn valueOf(x: T) -> T {
  switch KIND {
    case 0u: { return relu(x); }
    case 1u: { return leakyRelu(x); }
    case 2u: { return elu(x); }
    case 3u: { return tanhOf(x); }
    case 4u: { return exp(x); }
    case 5u: { return logOf(x); }
    case 6u: { return sqrt(x); }
    case 7u: { return rsqrtOf(x); }
    case 8u: { return reciprocal(x); }
    default: { return x * x; }
  }
}

// f'(x), given y = f(x); at a kink the slope from the left.
fn slopeOf(x: T, y: T) -> T {
  switch KIND {
    case 0u: { return select(T(0.0), T(1.0), x > T(0.0)); }
    case 1u: { return select(T(LEAKY_SLOPE), T(1.0), x > T(0.0)); }
    case 2u: { return select(y + T(1.0), T(1.0), x > T(0.0)); }
    case 3u: { return T(1.0) - y * y; }
    case 4u: { return y; }
    case 5u: { return T(1.0) / x; }
    case 6u: { return T(0.5) / y; }
    case 7u: { return T(-0.5) * y * y * y; }
    case 8u: { return -y * y; }
    default: { return T(2.0) * x; }
  }
}
