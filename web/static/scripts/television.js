// Starts the table page: a page like any other, which also plays what happens.

import "./main.js";
import "./moments.js";
