// A tray with a stand for a Raspberry Pi camera above its middle, to print in five pieces.
//
// Camera Module 2, 3 and 3 Wide have the same holes. Each piece fits a printer of 210 x 210 mm and
// needs no supports. `make stand` writes the pieces; openscad -D 'part="arm"' -o arm.stl stand.scad
// writes one. All sizes are in millimetres.

part = "all"; // "tray", "mast" (print two), "joint", "arm", or "all": as they stand on the table

/* [The tray] */
inside = [200, 150]; // width and depth
wall = 25;           // height above the floor: dice bounce off it
wall_thick = 3;
floor_thick = 2;
corner = 8;          // radius, inside

/* [The stand] */
lens = 290;     // of the camera, above the floor of the tray
beam = 24;      // edge of the square mast
shell = 3;      // thickness of the mast's sides
slip = 0.2;     // room on each side of what is pushed into something
depth = 40;     // how deep the mast stands in its foot
tongue = 36;    // how far joint and arm reach into the mast

/* [The camera] */
holes = [21, 12.5]; // between the centres of the screws, across and along the arm
screw = 2.2;        // M2
stack = 8;          // from the underside of the plate to the lens: two nuts, board, half the lens
plate = 3;

fit = beam - 2 * shell - 2 * slip;                // edge of what is pushed into the mast
foot = beam + 2 * slip + 2 * wall_thick;          // edge of the block that holds the mast
back = inside.y / 2 + foot / 2;                   // from the tray's middle to the mast's
top = lens + stack + floor_thick;                 // of the mast, above the table
mast = (top - floor_thick) / 2;                   // length of one of two pieces
aside = (holes.x + 8 - fit) / 2;                  // the arm is flat on one side, to be printed on it

module square_tube(edge, length, bore) {
    difference() {
        translate([-edge / 2, -edge / 2, 0]) cube([edge, edge, length]);
        translate([-bore / 2, -bore / 2, -1]) cube([bore, bore, length + 2]);
    }
}

module rounded(size, radius, height) {
    linear_extrude(height) offset(radius, $fn = 48) square(size - [2, 2] * radius, center = true);
}

module tray() {
    outside = inside + [2, 2] * wall_thick;
    difference() {
        union() {
            rounded(outside, corner + wall_thick, floor_thick + wall);
            // Half of the block lies behind the wall and is cut away with the inside.
            translate([aside, back, 0]) rounded([foot, foot], 2, floor_thick + depth);
        }
        translate([0, 0, floor_thick]) rounded(inside, corner, wall + depth);
        translate([aside, back, floor_thick]) {
            edge = beam + 2 * slip;
            translate([-edge / 2, -edge / 2, 0]) cube([edge, edge, depth + 1]);
        }
    }
}

module mast_piece() {
    square_tube(beam, mast, beam - 2 * shell);
}

module joint() {
    // Lying, so that its layers run along it.
    cube([2 * tongue, fit, fit]);
}

// Side view of the arm, drawn as it is printed: from the mast's middle to the camera along x, up y.
module arm_profile() {
    reach = back;
    translate([-fit / 2, -tongue]) square([fit, tongue + 1]);
    difference() {
        translate([-beam / 2, 0]) square([reach + beam / 2 + 3.5, beam]);
        // Above the plate there is room for screws and fingers; a brace leads down to it.
        translate([0, plate]) polygon([
            [reach - holes.y - 8, 0], [reach + 5, 0], [reach + 5, beam],
            [beam / 2, beam], [beam / 2, beam - 4],
        ]);
    }
}

module arm() {
    difference() {
        intersection() {
            linear_extrude(holes.x + 8) arm_profile();
            // Only the plate is as wide as the camera.
            union() {
                translate([-beam, -tongue - 1, 0]) cube([back + beam - holes.y - 5, 100, fit]);
                translate([back - holes.y - 5, -1, 0]) cube([100, 100, 100]);
            }
        }
        for (side = [4, 4 + holes.x], row = [0, holes.y])
            translate([back - row, plate / 2, side])
                rotate([90, 0, 0]) cylinder(h = plate + 2, d = screw, center = true, $fn = 24);
    }
}

if (part == "tray") tray();
if (part == "mast") mast_piece();
if (part == "joint") joint();
if (part == "arm") arm();
if (part == "all") {
    color("dimgray") tray();
    for (piece = [0, 1]) color(piece ? "silver" : "gainsboro")
        translate([aside, back, floor_thick + piece * mast]) mast_piece();
    color("steelblue") translate([(holes.x + 8) / 2, back, top])
        rotate([90, 0, -90]) arm();
}
