/** afterFrames does something once so many frames have begun; what it returns calls that off. */
export function afterFrames(frames: number, then: () => void): () => void {
  let left = frames;
  const next = () => (left-- > 0 ? (frame = requestAnimationFrame(next)) : then());
  let frame = 0;
  next();
  return () => cancelAnimationFrame(frame);
}
