/**
 * Waits, in a test, until what is under way has come to its end: by turns of the event loop, as a
 * time may be over too soon where the machine is busy.
 */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) {
    await new Promise((resolve) => setTimeout(resolve));
    await new Promise((resolve) => setImmediate(resolve));
  }
}
