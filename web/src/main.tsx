import { render } from "preact";
import "uplot/dist/uPlot.min.css";
import "./style/base.css";
import "./style/shell.css";
import "./style/parts.css";
import "./style/screens.css";
import { App } from "./app";
import { followLink, watchSignInLinks } from "./screens/sign_in";
import { watchLinks } from "./model/router";
import { listen } from "./model/live";
import { watchThroughput } from "./model/pulse";
import { applyTheme } from "./model/theme";
import { showAllText } from "./ui/visible_text";

applyTheme();
showAllText();
watchLinks();
watchThroughput();
watchSignInLinks();
void followLink().then(() => {
    void listen();
    render(<App />, document.getElementById("app")!);
});
