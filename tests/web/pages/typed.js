// npm's clients in a browser: typed.html?api=HTTP_URL&commitsPerStream=N

import { exercise } from "../clients/exercise.js";
import { webTransports } from "../clients/web.js";
import { report } from "./report.js";

const asked = new URLSearchParams(location.search);
report(exercise(webTransports(asked.get("api")), Number(asked.get("commitsPerStream"))));
