// The points in WebGL2: one draw call of points from buffers that stay on the graphics card.
//
// Points are drawn in an order whose every first part is an even sample (see Order). A frame draws
// as many as the card
// manages in its time; while the view stays, the next frames add the others on top of what is
// there, which gives the same
// picture as drawing all at once. So the map answers the hand at once on any machine, and is
// complete when it is still.

import { type Look, type Painter, dot } from "./painter";
import { CARD_BYTES, type Order, type Places, pack } from "./places";
import { ACROSS, FRAGMENT, VERTEX } from "./shaders";
import { type View } from "./view";

/**
 * Milliseconds that a frame's points may take, from the call to the end of the card's work: while
 * the view moves, and at rest.
 */
const MOVING = 60;
const RESTING = 180;
const LEAST = 20_000;
const BEGIN = 250_000;
/** A frame that the card has not reported as done after this long is taken as done. */
const PATIENCE = 3000;

const UNIFORMS = [
  "middle",
  "stretch",
  "dot_",
  "ratio",
  "focus",
  "calm",
  "pale",
  "faint",
  "colours",
  "sets",
] as const;

export class GLPainter implements Painter {
  readonly most = Infinity;
  private program!: WebGLProgram;
  private at!: Record<(typeof UNIFORMS)[number], WebGLUniformLocation | null>;
  private pointBuffer!: WebGLBuffer;
  private placeBuffer!: WebGLBuffer;
  private colourTexture!: WebGLTexture;
  private setTexture!: WebGLTexture;

  private points: Float32Array | null = null;
  private order: Order | null = null;
  private places: Places | null = null;
  private look: Look | null = null;
  private ratio = 1;

  private ready = 0; // rows on the card
  private done = 0; // points drawn of this picture
  private batches = { moving: BEGIN, resting: BEGIN };
  private mode: "moving" | "resting" = "moving";
  private fence: WebGLSync | null = null;
  private issued = 0;
  private asked = 0;

  private constructor(private readonly gl: WebGL2RenderingContext) {}

  /** on makes a painter for a canvas, or gives null where there is no WebGL2. */
  static on(canvas: HTMLCanvasElement): GLPainter | null {
    const gl = canvas.getContext("webgl2", {
      alpha: true,
      antialias: false,
      depth: false,
      preserveDrawingBuffer: true, // later frames add to what is there
      powerPreference: "high-performance",
    });
    if (!gl) return null;
    const painter = new GLPainter(gl);
    return painter.begin() ? painter : null;
  }

  private begin(): boolean {
    const gl = this.gl;
    const program = link(gl);
    if (!program) return false;
    this.program = program;
    this.at = Object.fromEntries(
      UNIFORMS.map((name) => [name, gl.getUniformLocation(program, name)]),
    ) as typeof this.at;
    this.pointBuffer = gl.createBuffer()!;
    this.placeBuffer = gl.createBuffer()!;
    this.colourTexture = texture(gl);
    this.setTexture = texture(gl);
    gl.useProgram(program);
    gl.uniform1i(this.at.colours, 0);
    gl.uniform1i(this.at.sets, 1);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    this.fence = null;
    return true;
  }

  /** restored puts everything back on the card after the browser lost and restored the context. */
  restored(): void {
    this.ready = 0;
    if (!this.begin()) return;
    if (this.points && this.order) this.setPoints(this.points, this.order);
    if (this.places) this.setPlaces(this.places);
    if (this.look) this.setLook(this.look);
  }

  setPoints(points: Float32Array, order: Order): void {
    this.order = order;
    this.ready = 0;
    this.movePoints(points);
  }

  movePoints(points: Float32Array): void {
    const gl = this.gl;
    const order = this.order!;
    this.points = points;
    const sorted = new Float32Array(2 * order.n);
    order.each(order.n, (k, row) => {
      sorted[2 * k] = points[2 * row]!;
      sorted[2 * k + 1] = points[2 * row + 1]!;
    });
    gl.bindBuffer(gl.ARRAY_BUFFER, this.pointBuffer);
    gl.bufferData(gl.ARRAY_BUFFER, sorted, gl.DYNAMIC_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 8, 0);
    this.again();
  }

  setPlaces(places: Places): void {
    const gl = this.gl;
    this.places = places;
    if (!this.order || places.cluster.length !== this.order.n) return;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.placeBuffer);
    gl.bufferData(gl.ARRAY_BUFFER, pack(places, this.order), gl.DYNAMIC_DRAW);
    gl.enableVertexAttribArray(1);
    gl.vertexAttribIPointer(1, 4, gl.UNSIGNED_SHORT, CARD_BYTES, 0);
    this.ready = this.order.n;

    const lines = Math.max(1, Math.ceil(places.sets.length / ACROSS));
    const sets = new Uint16Array(4 * ACROSS * lines);
    places.sets.forEach((set, i) => sets.set(set.slice(0, 4), 4 * i));
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, this.setTexture);
    gl.texImage2D(
      gl.TEXTURE_2D,
      0,
      gl.RGBA16UI,
      ACROSS,
      lines,
      0,
      gl.RGBA_INTEGER,
      gl.UNSIGNED_SHORT,
      sets,
    );
    this.again();
  }

  setLook(look: Look): void {
    const gl = this.gl;
    this.look = look;
    const lines = Math.max(1, Math.ceil(look.colours.length / ACROSS));
    const bytes = new Uint8Array(4 * ACROSS * lines);
    look.colours.forEach((c, i) => bytes.set([c[0], c[1], c[2], look.hidden[i] ? 0 : 255], 4 * i));
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.colourTexture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, ACROSS, lines, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
    this.again();
  }

  resize(width: number, height: number, ratio: number): void {
    this.ratio = ratio;
    this.gl.viewport(0, 0, width, height);
    this.again();
  }

  again(): void {
    this.done = 0;
  }

  paint(view: View, whole: number): boolean {
    const gl = this.gl;
    if (gl.isContextLost()) return true;
    if (!this.settle()) return false;
    if (this.done === 0) {
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT);
    }
    const look = this.look;
    if (!look || this.done >= this.ready) return true;

    gl.useProgram(this.program);
    gl.uniform2f(this.at.middle, view.x, view.y);
    gl.uniform2f(this.at.stretch, (2 * view.scale) / view.width, (2 * view.scale) / view.height);
    gl.uniform1f(this.at.dot_, dot(this.ready, view, whole) * this.ratio);
    gl.uniform1f(this.at.ratio, this.ratio);
    gl.uniform1ui(this.at.focus, look.focus);
    gl.uniform1ui(this.at.calm, look.calm ? 1 : 0);
    gl.uniform3f(this.at.pale, look.pale[0] / 255, look.pale[1] / 255, look.pale[2] / 255);
    gl.uniform3f(this.at.faint, look.faint[0] / 255, look.faint[1] / 255, look.faint[2] / 255);
    this.mode = this.done === 0 ? "moving" : "resting";
    const count = Math.min(this.batches[this.mode], this.ready - this.done);
    gl.drawArrays(gl.POINTS, this.done, count);
    this.done += count;
    this.asked = count;
    this.issued = performance.now();
    this.fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    return this.done >= this.ready;
  }

  /**
   * settle tells whether the card has done the frame before, and learns from it how many points a
   * frame can have.
   */
  private settle(): boolean {
    const gl = this.gl;
    if (!this.fence) return true;
    const took = performance.now() - this.issued;
    if (gl.getSyncParameter(this.fence, gl.SYNC_STATUS) !== gl.SIGNALED && took < PATIENCE)
      return false;
    gl.deleteSync(this.fence);
    this.fence = null;
    const budget = this.mode === "moving" ? MOVING : RESTING;
    const batch = this.batches[this.mode];
    if (took > 1.25 * budget)
      this.batches[this.mode] = Math.max(
        LEAST,
        Math.round(this.asked * Math.max(0.25, budget / took)),
      );
    else if (took < budget && this.asked >= batch)
      this.batches[this.mode] = Math.min(16_000_000, Math.round(batch * 1.5));
    return true;
  }

  dispose(): void {
    const gl = this.gl;
    if (this.fence) gl.deleteSync(this.fence);
    gl.deleteBuffer(this.pointBuffer);
    gl.deleteBuffer(this.placeBuffer);
    gl.deleteTexture(this.colourTexture);
    gl.deleteTexture(this.setTexture);
    gl.deleteProgram(this.program);
  }
}

function link(gl: WebGL2RenderingContext): WebGLProgram | null {
  const program = gl.createProgram();
  for (const [kind, source] of [
    [gl.VERTEX_SHADER, VERTEX],
    [gl.FRAGMENT_SHADER, FRAGMENT],
  ] as const) {
    const shader = gl.createShader(kind);
    if (!shader || !program) return null;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
    gl.deleteShader(shader);
  }
  gl.linkProgram(program);
  if (gl.getProgramParameter(program, gl.LINK_STATUS)) return program;
  console.warn("kindred: the map's shaders do not link", gl.getProgramInfoLog(program));
  return null;
}

function texture(gl: WebGL2RenderingContext): WebGLTexture {
  const t = gl.createTexture()!;
  gl.bindTexture(gl.TEXTURE_2D, t);
  for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
    gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
  for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T])
    gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE);
  return t;
}
