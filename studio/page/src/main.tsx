import { render } from "preact";
import { App } from "./app";
import { Store, StoreProvider } from "./store";
import "./style/base.css";

const store = new Store();
render(<StoreProvider value={store}><App store={store} /></StoreProvider>, document.getElementById("app")!);
void store.start();
