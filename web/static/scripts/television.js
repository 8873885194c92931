// Starts the table page, which follows the table and plays what happens.

import "./awake.js";
import { follow } from "./live.js";
import { receive } from "./moments.js";
import "./sound-loader.js";

follow(receive);
