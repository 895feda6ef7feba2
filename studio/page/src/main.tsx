import "./style/base.css";
import "./style/frame.css";
import "./style/question.css";
import "./style/panels.css";
import { render } from "preact";
import { App } from "./app";
import { followProject } from "./map/data";
import { Store, StoreProvider } from "./store";

const store = new Store();
followProject(store);
render(
  <StoreProvider value={store}>
    <App store={store} />
  </StoreProvider>,
  document.getElementById("app")!,
);
void store.start();
