// A small path tracer of dice in a tray: rounded cubes, walls, a floor and table, lamps as discs.
//
// One source for both: `nvcc -O3 -arch=sm_90 -shared -Xcompiler -fPIC tracer.cu -o tracer.so`, or
// `g++ -x c++ -O3 -shared -fPIC`. Each pixel's chance follows from the seed, its number and the
// sample's, so a picture is the same whenever it is traced by the same build. Lengths are in
// centimetres, z is up, colours are linear B, G, R. vision/training/tracer.py says what each field is.

#include <math.h>
#include <stdint.h>

#ifdef __CUDACC__
#define BOTH __host__ __device__
#else
#define BOTH
#endif

constexpr int MOST_DICE = 20, MOST_LAMPS = 4, MOST_FRAMES = 2, MOST_CORNERS = 32, TEXTURE = 96;
constexpr int BOUNCES = 4;
constexpr float NOTHING = 1e30f, PI = 3.14159265f, TABLE = -0.5f;

struct V {
    float x, y, z;
};
BOTH inline V operator+(V a, V b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
BOTH inline V operator-(V a, V b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
BOTH inline V operator*(V a, V b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
BOTH inline V operator*(V a, float s) { return {a.x * s, a.y * s, a.z * s}; }
BOTH inline float dot(V a, V b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
BOTH inline V unit(V a) { return a * (1 / sqrtf(dot(a, a) + 1e-20f)); }
BOTH inline V cross(V a, V b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
BOTH inline V vec(const float *f) { return {f[0], f[1], f[2]}; }
BOTH inline float fifth_power(float a) {  // of what is in [0, 1]
    a = fminf(fmaxf(a, 0), 1);
    return a * a * a * a * a;
}
BOTH inline float largest(V a) { return fmaxf(a.x, fmaxf(a.y, a.z)); }

struct Die {
    float where[3], turn[9], half, rounding;
    float body[3], ink[18];
    float grain, waves[12], engraved, alpha, f0, ink_shine, metallic, translucent;
};
struct Lamp {
    float where[3], towards[3], radius, light[3];
};
struct Frame {
    int corners;
    float inner[2 * MOST_CORNERS], outer[2 * MOST_CORNERS];
};
struct Scene {
    int width, height, samples, seed, dice, lamps, frames, floor_corners;
    float focal, middle[2], centre[3], turn[9];
    float wall, ground_alpha, ground_f0;
    float sky[3], sky_swing, sky_waves[16];
    float floor[2 * MOST_CORNERS];
    Frame frame[MOST_FRAMES];
    Lamp lamp[MOST_LAMPS];
    Die die[MOST_DICE];
};

struct Chance {
    uint32_t state;
    BOTH float next() {
        state = state * 747796405u + 2891336453u;
        uint32_t word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
        return (((word >> 22) ^ word) >> 8) * (1.0f / 16777216);
    }
};
BOTH inline uint32_t mix(uint32_t a) {
    a ^= a >> 16;
    a *= 0x7feb352du;
    a ^= a >> 15;
    a *= 0x846ca68bu;
    return a ^ (a >> 16);
}

struct Hit {
    float t;
    int die;   // -1 the ground
    V local;   // on a die, in half edges
    V normal;  // of the ground
};

BOTH inline V into(const Die &d, V v) {  // from the world's axes to the die's
    const float *m = d.turn;
    return {m[0] * v.x + m[3] * v.y + m[6] * v.z, m[1] * v.x + m[4] * v.y + m[7] * v.z,
            m[2] * v.x + m[5] * v.y + m[8] * v.z};
}
BOTH inline V out_of(const Die &d, V v) {
    const float *m = d.turn;
    return {m[0] * v.x + m[1] * v.y + m[2] * v.z, m[3] * v.x + m[4] * v.y + m[5] * v.z,
            m[6] * v.x + m[7] * v.y + m[8] * v.z};
}
BOTH inline float rounded(V p, float r, V *normal) {  // signed distance to a cube of half edge 1
    float x = fabsf(p.x) - 1 + r, y = fabsf(p.y) - 1 + r, z = fabsf(p.z) - 1 + r;
    V q = {fmaxf(x, 0), fmaxf(y, 0), fmaxf(z, 0)};
    if (normal)
        *normal = unit({copysignf(q.x, p.x), copysignf(q.y, p.y), copysignf(q.z, p.z)});
    return sqrtf(dot(q, q)) + fminf(fmaxf(x, fmaxf(y, z)), 0) - r;
}

BOTH bool meets_die(const Die &d, V o, V way, float least, Hit *hit) {
    V away = vec(d.where) - o;
    float along = dot(away, way), reach = 1.7321f * d.half;
    if (along < -reach || dot(away, away) - along * along > reach * reach) return false;
    V p = into(d, o - vec(d.where)) * (1 / d.half), w = into(d, way);  // t in half edges
    float from = 0, to = NOTHING;
    const float *pp = &p.x, *ww = &w.x;
    for (int k = 0; k < 3; k++) {
        float inverse = 1 / (fabsf(ww[k]) < 1e-8f ? 1e-8f : ww[k]);
        float a = (-1 - pp[k]) * inverse, b = (1 - pp[k]) * inverse;
        from = fmaxf(from, fminf(a, b));
        to = fminf(to, fmaxf(a, b));
    }
    if (from > to || from * d.half > least) return false;
    float t = from;
    for (int step = 0; step < 40 && t < to; step++) {
        float s = rounded(p + w * t, d.rounding, nullptr);
        if (s < 2e-4f) {
            if (t * d.half >= least) return false;
            hit->t = t * d.half;
            hit->local = p + w * t;
            return true;
        }
        t += s;
    }
    return false;
}

BOTH inline bool is_inside(const float *ring, int n, float x, float y) {  // counterclockwise, convex
    for (int i = 0; i < n; i++) {
        const float *a = ring + 2 * i, *b = ring + 2 * ((i + 1) % n);
        if ((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]) < 0) return false;
    }
    return true;
}

BOTH void meet_sides(const float *ring, int n, float low, float high, float sign, V o, V way,
                     Hit *hit) {
    for (int i = 0; i < n; i++) {
        const float *a = ring + 2 * i, *b = ring + 2 * ((i + 1) % n);
        float ex = b[0] - a[0], ey = b[1] - a[1];
        float across = way.x * ey - way.y * ex;
        if (fabsf(across) < 1e-9f) continue;
        float ax = a[0] - o.x, ay = a[1] - o.y;
        float t = (ax * ey - ay * ex) / across, s = (ax * way.y - ay * way.x) / across;
        float z = o.z + t * way.z;
        if (t < 1e-4f || t >= hit->t || s < 0 || s > 1 || z < low || z > high) continue;
        hit->t = t;
        hit->die = -1;
        hit->normal = unit({-ey * sign, ex * sign, 0});
    }
}

BOTH void meet_ground(const Scene &s, V o, V way, Hit *hit) {
    if (fabsf(way.z) > 1e-7f) {
        for (int f = 0; f < s.frames; f++) {
            float t = (s.wall - o.z) / way.z;
            float x = o.x + t * way.x, y = o.y + t * way.y;
            const Frame &frame = s.frame[f];
            if (t > 1e-4f && t < hit->t && is_inside(frame.outer, frame.corners, x, y) &&
                !is_inside(frame.inner, frame.corners, x, y)) {
                *hit = {t, -1, {0, 0, 0}, {0, 0, 1}};
            }
        }
        float t = -o.z / way.z;
        if (s.floor_corners && t > 1e-4f && t < hit->t &&
            is_inside(s.floor, s.floor_corners, o.x + t * way.x, o.y + t * way.y))
            *hit = {t, -1, {0, 0, 0}, {0, 0, 1}};
        t = (TABLE - o.z) / way.z;
        if (t > 1e-4f && t < hit->t) *hit = {t, -1, {0, 0, 0}, {0, 0, 1}};
    }
    for (int f = 0; f < s.frames; f++) {
        const Frame &frame = s.frame[f];
        meet_sides(frame.inner, frame.corners, 0, s.wall, 1, o, way, hit);
        meet_sides(frame.outer, frame.corners, TABLE, s.wall, -1, o, way, hit);
    }
}

BOTH bool meet(const Scene &s, V o, V way, float most, Hit *hit) {
    hit->t = most;
    hit->die = -2;
    for (int k = 0; k < s.dice; k++)
        if (meets_die(s.die[k], o, way, hit->t, hit)) hit->die = k;
    meet_ground(s, o, way, hit);
    return hit->die != -2;
}

BOTH bool is_lit(const Scene &s, V o, V way, float far) {
    Hit hit;
    for (int k = 0; k < s.dice; k++)
        if (meets_die(s.die[k], o, way, far, &hit)) return false;
    hit.t = far;
    hit.die = -2;
    meet_ground(s, o, way, &hit);
    return hit.die == -2;
}

BOTH V sky(const Scene &s, V way) {
    float wave = 0;
    for (int k = 0; k < 4; k++) {
        const float *w = s.sky_waves + 4 * k;
        wave += sinf(w[0] * way.x + w[1] * way.y + w[2] * way.z + w[3]);
    }
    return vec(s.sky) * fmaxf(0, 1 + s.sky_swing * wave * 0.5f);
}

BOTH inline float texel(const float *art, float u, float v) {
    u = fminf(fmaxf(u * TEXTURE - 0.5f, 0), TEXTURE - 1.001f);
    v = fminf(fmaxf(v * TEXTURE - 0.5f, 0), TEXTURE - 1.001f);
    int x = (int)u, y = (int)v;
    float a = u - x, b = v - y;
    const float *p = art + y * TEXTURE + x;
    return (p[0] * (1 - a) + p[1] * a) * (1 - b) + (p[TEXTURE] * (1 - a) + p[TEXTURE + 1] * a) * b;
}

struct Surface {
    V normal, paint, f0;
    float alpha, soft;  // soft: how much light comes from within
};

BOTH Surface look_of_die(const Die &d, const float *art, V p) {
    V n;
    rounded(p, d.rounding, &n);
    float x = fabsf(p.x), y = fabsf(p.y), z = fabsf(p.z);
    int axis = x > y ? (x > z ? 0 : 2) : (y > z ? 1 : 2);
    const float *pp = &p.x;
    int face = axis * 2 + (pp[axis] < 0), a = (axis + 1) % 3, b = (axis + 2) % 3;
    float u = pp[a] / 2 + 0.5f, v = pp[b] / 2 + 0.5f;
    const float *side = art + face * TEXTURE * TEXTURE;
    float ink = texel(side, u, v);
    if (d.engraved != 0) {
        const float step = 1.5f / TEXTURE;
        float *nn = &n.x;
        nn[a] += d.engraved * 0.5f * (texel(side, u + step, v) - texel(side, u - step, v));
        nn[b] += d.engraved * 0.5f * (texel(side, u, v + step) - texel(side, u, v - step));
        n = unit(n);
    }
    float wave = 0;
    if (d.grain != 0)
        for (int k = 0; k < 3; k++) {
            const float *w = d.waves + 4 * k;
            wave += sinf(3 * (w[0] * p.x + w[1] * p.y + w[2] * p.z) + w[3]);
        }
    V body = vec(d.body) * fmaxf(0.1f, 1 + d.grain * wave / 2);
    V paint = body + (vec(d.ink + 3 * face) - body) * ink;
    float bare = 1 - ink, shine = 1 + (d.ink_shine - 1) * ink;
    float metal = d.metallic * bare;
    V dull = {d.f0, d.f0, d.f0};
    V f0 = (dull * (1 - metal) + body * metal) * shine;
    return {out_of(d, n), paint * (1 - metal), f0, d.alpha, d.translucent};
}

BOTH V painted(const Scene &s, const float *ground, V p) {  // as it is painted where it is seen
    V q = p - vec(s.centre);
    const float *m = s.turn;
    float z = fmaxf(m[6] * q.x + m[7] * q.y + m[8] * q.z, 1e-3f);
    float x = (m[0] * q.x + m[1] * q.y + m[2] * q.z) / z * s.focal + s.middle[0];
    float y = (m[3] * q.x + m[4] * q.y + m[5] * q.z) / z * s.focal + s.middle[1];
    x = fminf(fmaxf(x, 0), s.width - 1.001f);
    y = fminf(fmaxf(y, 0), s.height - 1.001f);
    int i = (int)x, j = (int)y;
    float a = x - i, b = y - j;
    const float *g = ground + 3 * (j * (int64_t)s.width + i), *h = g + 3 * s.width;
    return (vec(g) * (1 - a) + vec(g + 3) * a) * (1 - b) + (vec(h) * (1 - a) + vec(h + 3) * a) * b;
}

BOTH inline void around(V n, V *a, V *b) {
    *a = unit(fabsf(n.z) < 0.9f ? cross(n, {0, 0, 1}) : cross(n, {1, 0, 0}));
    *b = cross(n, *a);
}
BOTH inline float ggx(float nh, float alpha) {
    float k = nh * nh * (alpha * alpha - 1) + 1;
    return alpha * alpha / (PI * k * k);
}
BOTH inline float masking(float nv, float nl, float alpha) {
    float a2 = alpha * alpha;
    float v = nv + sqrtf(a2 + (1 - a2) * nv * nv), l = nl + sqrtf(a2 + (1 - a2) * nl * nl);
    return 4 * nv * nl / (v * l);
}

BOTH V lamps_seen(const Scene &s, V o, V way) {
    V sum = {0, 0, 0};
    for (int k = 0; k < s.lamps; k++) {
        const Lamp &l = s.lamp[k];
        V towards = vec(l.towards);
        float facing = -dot(way, towards);
        if (facing < 1e-4f) continue;
        float t = -dot(vec(l.where) - o, towards) / facing;
        V off = o + way * t - vec(l.where);
        if (t > 0 && dot(off, off) < l.radius * l.radius) sum = sum + vec(l.light);
    }
    return sum;
}

// Light from the lamps that a point scatters and, where it isn't too smooth, mirrors roughly.
BOTH V lamplight(const Scene &s, const Surface &m, V p, V flat, V view, bool rough, Chance &chance) {
    V sum = {0, 0, 0};
    for (int k = 0; k < s.lamps; k++) {
        const Lamp &l = s.lamp[k];
        V a, b;
        around(vec(l.towards), &a, &b);
        float r = l.radius * sqrtf(chance.next()), turn = 2 * PI * chance.next();
        V way = vec(l.where) + a * (r * cosf(turn)) + b * (r * sinf(turn)) - p;
        float far = sqrtf(dot(way, way));
        way = way * (1 / far);
        float nl = dot(m.normal, way), above = dot(flat, way), facing = -dot(way, vec(l.towards));
        if (facing <= 0 || (above <= 0 && m.soft == 0)) continue;
        if (above > 0 && !is_lit(s, p, way, far)) continue;
        float power = facing * PI * l.radius * l.radius / (far * far);
        float within = m.soft * 0.5f * (1 + nl) * (above > 0 ? 1.0f : 0.35f);
        V scattered = m.paint * (((1 - m.soft) * fmaxf(nl, 0) + within) / PI);
        sum = sum + vec(l.light) * scattered * power;
        if (rough && nl > 0 && above > 0) {
            V h = unit(way + view);
            float nv = fmaxf(dot(m.normal, view), 0.02f), vh = fmaxf(dot(view, h), 0);
            float d = ggx(fmaxf(dot(m.normal, h), 0), m.alpha) * masking(nv, nl, m.alpha);
            float edge = fifth_power(1 - vh);
            V f = m.f0 + (V{1, 1, 1} - m.f0) * (edge * fminf(1, 25 * largest(m.f0)));
            sum = sum + vec(l.light) * f * (power * d / (4 * nv));
        }
    }
    return sum;
}

BOTH V trace_path(const Scene &s, const float *ground, const float *art, V o, V way,
                  Chance &chance, int *owner) {
    V sum = {0, 0, 0}, through = {1, 1, 1};
    bool sees_lamps = false;
    for (int bounce = 0; bounce < BOUNCES; bounce++) {
        Hit hit;
        bool met = meet(s, o, way, 1e4f, &hit);
        if (owner && !bounce) *owner = met ? hit.die + 1 : 0;
        V light = {0, 0, 0};
        if (!met) {
            light = sky(s, way);
            if (sees_lamps) light = light + lamps_seen(s, o, way);
        }
        V p = o + way * hit.t, flat = hit.normal;
        Surface m;
        bool rough = false;
        if (met) {
            if (hit.die >= 0) {
                V n;
                rounded(hit.local, s.die[hit.die].rounding, &n);
                flat = out_of(s.die[hit.die], n);
                m = look_of_die(s.die[hit.die], art, hit.local);
            } else {
                if (dot(flat, way) > 0) flat = flat * -1;
                V f0 = {s.ground_f0, s.ground_f0, s.ground_f0};
                m = {flat, painted(s, ground, p), f0, s.ground_alpha, 0};
            }
            p = p + flat * 2e-3f;
            rough = m.alpha > 0.06f;
            light = lamplight(s, m, p, flat, way * -1, rough, chance);
        }
        V gained = through * light;
        if (bounce) {
            float most = largest(gained);
            if (most > 3) gained = gained * (3 / most);
        }
        sum = sum + gained;
        if (!met) break;
        float nv = fmaxf(-dot(m.normal, way), 0.02f), share = largest(m.f0);
        float edge = fifth_power(1 - nv) * fminf(1, 25 * share);
        V f = m.f0 + (V{1, 1, 1} - m.f0) * edge;
        float mirror = share > 0 ? fminf(0.9f, fmaxf(0.15f, largest(f))) : 0;
        V a, b;
        around(m.normal, &a, &b);
        float turn = 2 * PI * chance.next(), r = chance.next();
        if (chance.next() < mirror) {
            float cos2 = (1 - r) / (1 + (m.alpha * m.alpha - 1) * r), sin1 = sqrtf(fmaxf(0, 1 - cos2));
            cos2 = fmaxf(0, cos2);
            V h = a * (sin1 * cosf(turn)) + b * (sin1 * sinf(turn)) + m.normal * sqrtf(cos2);
            float vh = -dot(way, h);
            way = way + h * (2 * vh);
            float nl = dot(m.normal, way), nh = fmaxf(0.02f, sqrtf(cos2));
            if (nl <= 0 || vh <= 0 || dot(flat, way) <= 0) break;
            through = through * f * (masking(nv, nl, m.alpha) * vh / (nv * nh) / mirror);
            sees_lamps = !rough;
        } else {
            float sin1 = sqrtf(r);
            way = a * (sin1 * cosf(turn)) + b * (sin1 * sinf(turn)) + m.normal * sqrtf(fmaxf(0, 1 - r));
            if (dot(flat, way) <= 0) break;
            through = through * m.paint * (1 / (1 - mirror));
            sees_lamps = false;
        }
        way = unit(way);
        o = p;
        if (largest(through) < 0.01f) break;
    }
    return sum;
}

BOTH void trace_pixel(const Scene &s, const float *ground, const float *art, int pixel,
                      float *picture, uint8_t *owners) {
    int x = pixel % s.width, y = pixel / s.width;
    V sum = {0, 0, 0};
    const float *m = s.turn;
    for (int k = 0; k < s.samples; k++) {
        Chance chance = {mix(mix(s.seed * 7919u + k) ^ (uint32_t)pixel)};
        chance.next();
        // A tent over two pixels; the very first ray, through the middle, says whose it is.
        float u = chance.next() + chance.next() - 1, v = chance.next() + chance.next() - 1;
        int owner = 0;
        if (!k) u = v = 0;
        V ray = {x + 0.75f * u - s.middle[0], y + 0.75f * v - s.middle[1], s.focal};
        V way = unit({m[0] * ray.x + m[3] * ray.y + m[6] * ray.z,
                      m[1] * ray.x + m[4] * ray.y + m[7] * ray.z,
                      m[2] * ray.x + m[5] * ray.y + m[8] * ray.z});
        V seen = trace_path(s, ground, art, vec(s.centre), way, chance, k ? nullptr : &owner);
        if (largest(seen) < 1e4f && seen.x + seen.y + seen.z >= 0) sum = sum + seen;
        if (!k) owners[pixel] = (uint8_t)owner;
    }
    float *to = picture + 3 * (int64_t)pixel;
    to[0] = sum.x / s.samples, to[1] = sum.y / s.samples, to[2] = sum.z / s.samples;
}

#ifdef __CUDACC__
#include <cuda_runtime.h>

__global__ void trace_all(const Scene *s, const float *ground, const float *art, float *picture,
                          uint8_t *owners) {
    int pixel = blockIdx.x * blockDim.x + threadIdx.x;
    if (pixel < s->width * s->height && owners[pixel])
        trace_pixel(*s, ground, art, pixel, picture, owners);
}

// Traces the pixels whose owners aren't 0 and says whose each is; leaves the others as they are.
// Returns 0, or the error of CUDA.
extern "C" int trace_scene(const Scene *scene, const float *ground, const float *art,
                           float *picture, uint8_t *owners) {
    static char *kept = nullptr;
    static size_t room = 0;
    size_t pixels = (size_t)scene->width * scene->height, image = pixels * 3 * sizeof(float);
    size_t drawn = 6 * TEXTURE * TEXTURE * sizeof(float), first = (sizeof(Scene) + 255) & ~255;
    size_t need = first + 2 * image + drawn + pixels;
    if (need > room) {
        cudaFree(kept);
        if (cudaMalloc(&kept, need)) return (int)cudaGetLastError();
        room = need;
    }
    char *at = kept;
    Scene *s = (Scene *)at;
    float *g = (float *)(at += first), *p = (float *)(at += image), *a = (float *)(at += image);
    uint8_t *w = (uint8_t *)(at + drawn);
    cudaMemcpy(s, scene, sizeof(Scene), cudaMemcpyHostToDevice);
    cudaMemcpy(g, ground, image, cudaMemcpyHostToDevice);
    cudaMemcpy(a, art, drawn, cudaMemcpyHostToDevice);
    cudaMemcpy(p, picture, image, cudaMemcpyHostToDevice);
    cudaMemcpy(w, owners, pixels, cudaMemcpyHostToDevice);
    trace_all<<<(int)((pixels + 127) / 128), 128>>>(s, g, a, p, w);
    cudaMemcpy(picture, p, image, cudaMemcpyDeviceToHost);
    cudaMemcpy(owners, w, pixels, cudaMemcpyDeviceToHost);
    return (int)cudaGetLastError();
}
#else
extern "C" int trace_scene(const Scene *scene, const float *ground, const float *art,
                           float *picture, uint8_t *owners) {
    for (int pixel = 0; pixel < scene->width * scene->height; pixel++)
        if (owners[pixel]) trace_pixel(*scene, ground, art, pixel, picture, owners);
    return 0;
}
#endif
