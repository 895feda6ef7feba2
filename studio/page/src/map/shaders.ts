// How an object is drawn: where, how large, and in which colours. GLSL ES 3.00.

/** Width of the textures that hold colours and sets; rows of it as many as needed. */
export const ACROSS = 256;

export const VERTEX = `#version 300 es
precision highp float;
precision highp int;
precision highp usampler2D;

layout(location = 0) in vec2 point;
layout(location = 1) in uvec4 place; // cluster, set, certainty, flags

uniform vec2 middle;      // of the view, in the plane
uniform vec2 stretch;     // clip units a unit of the plane
uniform float dot_;       // width of an object in pixels of the screen
uniform float ratio;      // pixels of the screen a CSS pixel
uniform uint focus;
uniform uint calm;
uniform vec3 pale;
uniform vec3 faint;
uniform sampler2D colours; // rgb, and a: 0 where hidden
uniform usampler2D sets;   // up to four clusters a set, 0 for none

flat out vec3 first;
flat out vec3 second;
flat out vec3 third;
flat out vec3 fourth;
flat out float parts;   // colours in use
flat out float kind;    // 0 disc, 1 ring, 2 cross
flat out float size;
flat out float alpha;

vec4 colour(uint cluster) {
  int c = int(cluster);
  return texelFetch(colours, ivec2(c & ${ACROSS - 1}, c >> 8), 0);
}

void main() {
  uint flags = place.w;
  vec4 own = colour(place.x);
  float certain = float(place.z) / 255.0;
  bool bad = (flags & 4u) != 0u;
  bool outlier = (flags & 1u) != 0u;
  bool ambiguous = (flags & 2u) != 0u && place.y != 0u && !bad && calm == 0u;

  first = second = third = fourth = own.rgb;
  parts = 1.0;
  kind = 0.0;
  alpha = 1.0;
  size = dot_ * (0.75 + 0.35 * certain);
  if (ambiguous) {
    uint s = place.y;
    uvec4 set = texelFetch(sets, ivec2(int(s) & ${ACROSS - 1}, int(s) >> 8), 0);
    size = dot_ > 3.0 * ratio ? max(1.25 * dot_, 6.0 * ratio) : 1.15 * dot_;
    first = colour(set.x).rgb;
    if (set.y != 0u) { parts = 2.0; second = colour(set.y).rgb; }
    if (set.z != 0u) { parts = 3.0; third = colour(set.z).rgb; }
    if (set.w != 0u) { parts = 4.0; fourth = colour(set.w).rgb; }
    if (size < 4.5 * ratio && parts > 1.0) {
      // Too small to be split: neighbours take turns, so that a crowd shows the mixture.
      int turn = gl_VertexID % int(parts);
      first = turn == 0 ? first : turn == 1 ? second : turn == 2 ? third : fourth;
      parts = 1.0;
    }
  } else {
    first = mix(pale, own.rgb, 0.22 + 0.78 * certain);
  }
  if (outlier) {
    kind = 1.0;
    size = max(size, 5.5 * ratio);
    first = ambiguous ? first : mix(pale, own.rgb, 0.75);
  }
  if (bad) {
    kind = 2.0;
    size = max(dot_, 6.0 * ratio);
    first = faint;
    alpha = 0.7;
  }
  if (focus != 0u && place.x != focus) alpha *= 0.12;

  gl_PointSize = size + 1.0;
  gl_Position = own.a < 0.5 ? vec4(2.0, 2.0, 2.0, 1.0) : vec4((point - middle) * stretch, 0.0, 1.0);
}
`;

export const FRAGMENT = `#version 300 es
precision highp float;

flat in vec3 first;
flat in vec3 second;
flat in vec3 third;
flat in vec3 fourth;
flat in float parts;
flat in float kind;
flat in float size;
flat in float alpha;
out vec4 result;

void main() {
  vec2 p = (gl_PointCoord - 0.5) * (size + 1.0); // pixels from the middle
  float half_ = 0.5 * size;
  float cover;
  if (kind > 1.5) {
    float arm = max(0.6, 0.09 * size);
    float d = min(abs(p.x - p.y), abs(p.x + p.y)) * 0.7071;
    cover = clamp(arm + 0.5 - d, 0.0, 1.0) * step(max(abs(p.x), abs(p.y)), half_);
  } else {
    float r = length(p);
    cover = clamp(half_ - r + 0.5, 0.0, 1.0);
    if (kind > 0.5) {
      float line = max(1.1, 0.16 * size);
      cover *= clamp(r - (half_ - line) + 0.5, 0.0, 1.0);
    }
  }
  vec3 rgb = first;
  if (parts > 1.5) {
    float turn = fract(atan(p.x, p.y) / 6.2831853 + 1.0); // from the top
    float sector = floor(turn * parts);
    rgb = sector < 0.5 ? first : sector < 1.5 ? second : sector < 2.5 ? third : fourth;
  }
  float a = cover * alpha;
  if (a < 0.004) discard;
  result = vec4(rgb * a, a);
}
`;
