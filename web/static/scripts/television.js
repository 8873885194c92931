// Starts the table page, which follows the table and plays what happens.

import "./live.js";
import "./awake.js";
import "./moments.js";
import "./sound-loader.js";
