"""Trace the scenes of vision/training/traced_scenes.py, in Blender's own Python.

`blender -b --factory-startup -P vision/training/trace_in_blender.py -- FOLDER` makes of each
FOLDER/NNN.json a FOLDER/NNN.png, linear light in 16 bits, and leaves those that exist. A centimetre
is one unit. The ground is painted as the camera sees it and laid on floor and walls from there, so
only light, shadows and dice are traced.
"""

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector

SAMPLES = 16
GRID = 14  # squares along a side of a die


def image_node(tree: Any, path: Path, vector: Any, colours: str = "Linear") -> Any:
    """Add the picture in a file to a material's nodes, laid by `vector`; return its node."""
    node = tree.nodes.new("ShaderNodeTexImage")
    node.image = bpy.data.images.load(str(path))
    node.image.colorspace_settings.name = colours
    node.interpolation = "Linear"
    node.extension = "EXTEND"
    tree.links.new(vector, node.inputs["Vector"])
    return node


def material(name: str) -> tuple[Any, Any, Any]:
    """Return a new material, its nodes, and the one that shades."""
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    tree = made.node_tree
    return made, tree, tree.nodes["Principled BSDF"]


def ground_material(path: Path, roughness: float, specular: float) -> Any:
    """Return the ground as the camera sees it, painted in a file."""
    made, tree, shader = material("ground")
    where = tree.nodes.new("ShaderNodeTexCoord").outputs["Window"]
    node = image_node(tree, path, where)
    tree.links.new(node.outputs["Color"], shader.inputs["Base Color"])
    shader.inputs["Roughness"].default_value = roughness
    shader.inputs["Specular"].default_value = specular
    return made


def die_material(die: dict[str, Any], path: Path) -> Any:
    """Return what a die is of; path: its six faces side by side."""
    made, tree, shader = material("die")
    where = tree.nodes.new("ShaderNodeTexCoord")
    ink = image_node(tree, path, where.outputs["UV"], "Non-Color")
    ink.image.alpha_mode = "CHANNEL_PACKED"
    ink.interpolation = "Cubic"
    mix = tree.nodes.new("ShaderNodeMixRGB")
    mix.inputs["Color1"].default_value = (*die["body"], 1)
    tree.links.new(ink.outputs["Color"], mix.inputs["Color2"])
    tree.links.new(ink.outputs["Alpha"], mix.inputs["Fac"])
    if die["grain"]:
        noise = tree.nodes.new("ShaderNodeTexNoise")
        noise.inputs["Scale"].default_value = 3.0
        stretch = tree.nodes.new("ShaderNodeMapping")
        stretch.inputs["Scale"].default_value = (1, 6, 1)
        stretch.inputs["Location"].default_value = die["noise"]
        tree.links.new(where.outputs["Object"], stretch.inputs["Vector"])
        tree.links.new(stretch.outputs["Vector"], noise.inputs["Vector"])
        ramp = tree.nodes.new("ShaderNodeMapRange")
        ramp.inputs["To Min"].default_value = 1 - 2 * die["grain"]
        ramp.inputs["To Max"].default_value = 1 + 2 * die["grain"]
        tree.links.new(noise.outputs["Fac"], ramp.inputs["Value"])
        tint = tree.nodes.new("ShaderNodeVectorMath")
        tint.operation = "SCALE"
        tint.inputs[0].default_value = die["body"]
        tree.links.new(ramp.outputs["Result"], tint.inputs["Scale"])
        tree.links.new(tint.outputs["Vector"], mix.inputs["Color1"])
    tree.links.new(mix.outputs["Color"], shader.inputs["Base Color"])
    shader.inputs["Roughness"].default_value = die["roughness"]
    shader.inputs["Specular"].default_value = die["specular"]
    shader.inputs["Metallic"].default_value = die["metallic"]
    if die["translucent"]:
        shader.inputs["Subsurface"].default_value = die["translucent"]
        shader.inputs["Subsurface Radius"].default_value = (0.6, 0.6, 0.6)
        tree.links.new(mix.outputs["Color"], shader.inputs["Subsurface Color"])
    if die["engraved"] > 0:
        bump = tree.nodes.new("ShaderNodeBump")
        bump.invert = True
        bump.inputs["Strength"].default_value = min(1.0, die["engraved"])
        bump.inputs["Distance"].default_value = 0.06
        tree.links.new(ink.outputs["Alpha"], bump.inputs["Height"])
        tree.links.new(bump.outputs["Normal"], shader.inputs["Normal"])
    return made


def add(mesh: Any, made: Any, name: str) -> Any:
    """Put a mesh of a material into the scene; return the object."""
    mesh.materials.append(made)
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(thing)
    return thing


def die_mesh(rounding: float) -> Any:
    """A cube of half edge 1, rounded by twice `rounding`; its sides side by side in the texture."""
    r = 2 * rounding
    flat = np.linspace(-(1 - r), 1 - r, GRID - 5)
    bend = 1 - r + r * np.tan(np.linspace(0, np.pi / 4, 4))[1:]
    line = np.concatenate([-bend[::-1], flat, bend])
    n = len(line)
    points: list[Any] = []
    faces, uvs = [], []
    for side in range(6):
        axis, sign = side // 2, 1 - 2 * (side % 2)
        a, b = (axis + 1) % 3, (axis + 2) % 3
        first = len(points)
        for v in line:
            for u in line:
                p = np.zeros(3)
                p[axis], p[a], p[b] = sign, u, v
                core = np.clip(p, -(1 - r), 1 - r)
                away = p - core
                points.append(core + r * away / np.linalg.norm(away))
        for i in range(n - 1):
            for j in range(n - 1):
                corners = [first + i * n + j, first + i * n + j + 1]
                corners += [first + (i + 1) * n + j + 1, first + (i + 1) * n + j]
                corners = corners if sign > 0 else corners[::-1]
                faces.append(corners)
                for c in corners:
                    x, y = points[c][a] / 2 + 0.5, points[c][b] / 2 + 0.5
                    uvs.append(((side + min(max(x, 0.002), 0.998)) / 6, 1 - y))
    mesh = bpy.data.meshes.new("die")
    mesh.from_pydata([tuple(p) for p in points], [], faces)
    layer = mesh.uv_layers.new()
    layer.data.foreach_set("uv", np.array(uvs).ravel())
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    return mesh


def flat_mesh(
    name: str, rings: Sequence[Sequence[tuple[float, float]]], heights: Sequence[float]
) -> Any:
    """Closed strips between outlines of as many corners, or the one outline filled."""
    count = len(rings[0])
    points = [(x, y, z) for ring, z in zip(rings, heights, strict=True) for x, y in ring]
    faces = [tuple(range(count))] if len(rings) == 1 else []
    for k in range(len(rings) - 1):
        for i in range(count):
            j = (i + 1) % count
            faces.append((k * count + i, k * count + j, (k + 1) * count + j, (k + 1) * count + i))
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    return mesh


def clear() -> Any:
    """Return an empty scene, set up to be traced."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.samples = SAMPLES
    scene.cycles.use_denoising = False
    scene.cycles.use_adaptive_sampling = False
    scene.cycles.max_bounces = 3
    scene.cycles.diffuse_bounces = 2
    scene.cycles.glossy_bounces = 2
    scene.cycles.caustics_reflective = scene.cycles.caustics_refractive = False
    scene.cycles.sample_clamp_indirect = 3.0
    scene.cycles.filter_width = 1.2
    scene.view_settings.view_transform = "Raw"
    scene.render.threads_mode, scene.render.threads = "FIXED", 1
    scene.render.image_settings.file_format = "PNG"
    scene.render.image_settings.color_mode = "RGB"
    scene.render.image_settings.color_depth = "16"
    return scene


def build(folder: Path, told: dict[str, Any]) -> Any:
    """Return a scene as `traced_scenes.tell_tracer` describes it; folder: of its pictures."""
    scene = clear()
    scene.render.resolution_x, scene.render.resolution_y = told["size"]
    camera = bpy.data.cameras.new("camera")
    camera.sensor_fit, camera.sensor_width = "HORIZONTAL", 36.0
    camera.lens = told["focal"] / told["size"][0] * 36.0
    camera.clip_end = 1000.0
    eye = bpy.data.objects.new("camera", camera)
    turn = np.array(told["turn"]) * [[1], [-1], [-1]]
    eye.matrix_world = Matrix.Translation(told["centre"]) @ Matrix(turn.T.tolist()).to_4x4()
    scene.collection.objects.link(eye)
    scene.camera = eye

    ground = ground_material(folder / told["ground"], told["roughness"], told["specular"])
    wide = [(-150, -150), (150, -150), (150, 150), (-150, 150)]
    add(flat_mesh("table", [wide], [-0.5]), ground, "table")
    tray = told["tray"]
    if tray:
        add(flat_mesh("floor", [tray["floor"]], [0.0]), ground, "floor")
        wall = tray["wall"]
        for inner, outer in tray["frames"]:
            rings = [inner, inner, outer, outer]
            add(flat_mesh("frame", rings, [0.0, wall, wall, -0.5]), ground, "frame")
    for die in told["dice"]:
        made = die_material(die, folder / told["art"])
        thing = add(die_mesh(die["rounding"]), made, "die")
        half = die["edge"] / 2
        turn = Matrix(die["turn"]).to_4x4()
        thing.matrix_world = Matrix.Translation(die["where"]) @ turn @ Matrix.Scale(half, 4)
    for lamp in told["lamps"]:
        light = bpy.data.lights.new("lamp", "AREA")
        light.shape, light.size = "DISK", lamp["size"]
        light.energy = lamp["energy"]
        lit = bpy.data.objects.new("lamp", light)
        towards = Vector(lamp["where"])
        lit.location = towards
        lit.rotation_euler = towards.to_track_quat("Z", "Y").to_euler()
        scene.collection.objects.link(lit)
    world = bpy.data.worlds.new("world")
    scene.world = world
    world.use_nodes = True
    tree = world.node_tree
    noise = tree.nodes.new("ShaderNodeTexNoise")
    noise.inputs["Scale"].default_value = told["sky"]["scale"]
    spread = tree.nodes.new("ShaderNodeMapRange")
    spread.inputs["From Min"].default_value, spread.inputs["From Max"].default_value = 0.3, 0.7
    spread.inputs["To Min"].default_value = told["sky"]["low"]
    spread.inputs["To Max"].default_value = told["sky"]["high"]
    tree.links.new(noise.outputs["Fac"], spread.inputs["Value"])
    back = tree.nodes["Background"]
    back.inputs["Color"].default_value = (1, 1, 1, 1)
    tree.links.new(spread.outputs["Result"], back.inputs["Strength"])
    scene.cycles.seed = told["seed"]
    return scene


def main() -> None:
    """Trace what is described in a folder and not traced yet."""
    folder = Path(sys.argv[sys.argv.index("--") + 1])
    for path in sorted(folder.glob("*.json")):
        out = path.with_suffix(".png")
        if out.exists():
            continue
        scene = build(folder, json.loads(path.read_text()))
        part = folder / (path.stem + ".part.png")
        scene.render.filepath = str(part)
        bpy.ops.render.render(write_still=True)
        os.replace(part, out)
        print("traced", path.stem, flush=True)


main()
