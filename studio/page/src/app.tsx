import type { Store } from "./store";

export function App({ store }: { store: Store }) {
  return <main>{store.project.value}</main>;
}
