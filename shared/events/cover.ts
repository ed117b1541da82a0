import { type CoverPalette, coverPalettes } from './cover-palettes.ts'

interface CoverColors {
  readonly sky: string
  readonly far: string
  readonly near: string
  readonly lamp: string
}

/** Colors are hexadecimal, because the server draws pictures of them, too. */
export const coverColors: Readonly<Record<CoverPalette, CoverColors>> = {
  Lamplight: { sky: '#222a42', far: '#36415e', near: '#0d1324', lamp: '#febd56' },
  Harbor: { sky: '#10425d', far: '#265f7b', near: '#041d2e', lamp: '#f6e193' },
  Dusk: { sky: '#543666', far: '#954e71', near: '#241737', lamp: '#ffb26c' },
  Ember: { sky: '#602015', far: '#8e3a23', near: '#2b0e0c', lamp: '#ffc04b' },
  Moss: { sky: '#27422c', far: '#405e40', near: '#0b1f14', lamp: '#eceb8a' },
  Rose: { sky: '#793243', far: '#a4515b', near: '#3c1424', lamp: '#fddfbe' },
  Tide: { sky: '#044f52', far: '#29706c', near: '#00252b', lamp: '#ffc992' },
  Plum: { sky: '#4d1941', far: '#772e5b', near: '#240a23', lamp: '#ffb8b0' },
  Copper: { sky: '#774422', far: '#9f6532', near: '#381b10', lamp: '#feeba6' },
  Frost: { sky: '#4a5d71', far: '#6b8496', near: '#1c293d', lamp: '#fff1c8' },
  Iris: { sky: '#38337c', far: '#5e4e9e', near: '#161641', lamp: '#face6e' },
  Midnight: { sky: '#1d1713', far: '#39312a', near: '#0a0704', lamp: '#ffb160' },
}

/** Shapes are drawn from back to front. */
interface CoverShape {
  readonly ink: Exclude<keyof CoverColors, 'sky'>
  readonly d: string
  readonly opacity?: number
}

export interface Cover {
  readonly palette: CoverPalette
  readonly colors: CoverColors
  readonly shapes: readonly CoverShape[]
  readonly isMirrored: boolean
}

export const coverWidth = 500
export const coverHeight = 200

type Random = (from: number, to: number) => number

/** Whole numbers, both ends included; mulberry32. */
function randomFrom(eventId: number): Random {
  let state = (eventId % 2 ** 32) ^ Math.floor(eventId / 2 ** 32)
  return (from, to) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return from + (((mixed ^ (mixed >>> 14)) >>> 0) % (to - from + 1))
  }
}

/**
 * The cover is the same on every device. A palette of another version is replaced by one that the number determines.
 */
export function coverOf(eventId: number, palette: string | null | undefined): Cover {
  const random = randomFrom(eventId)
  const ofNumber = coverPalettes[random(0, coverPalettes.length - 1)] ?? 'Lamplight'
  const chosen = coverPalettes.find((name) => name === palette) ?? ofNumber
  const scene = scenes[random(0, scenes.length - 1)] ?? hall
  const isMirrored = random(0, 1) === 1
  return { palette: chosen, colors: coverColors[chosen], shapes: scene(random), isMirrored }
}

const join = (parts: readonly string[]) => parts.join('')
const range = (count: number) => Array.from({ length: count }, (_, index) => index)
const rect = (x: number, y: number, width: number, height: number) => `M${x} ${y}h${width}v${height}h${-width}z`
const disc = (x: number, y: number, r: number) =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`

/** Draws head and shoulders, with `y` at the feet of a person of `size` percent. */
function person(x: number, y: number, size: number): string {
  const of = (length: number) => Math.round((length * size) / 100)
  const r = of(16)
  return `${disc(x, y - of(56), of(10))}M${x - r} ${y}v${-of(24)}a${r} ${r} 0 0 1 ${2 * r} 0v${of(24)}z`
}

/** Draws lamps over a crowd, which light those below. */
function hall(random: Random): CoverShape[] {
  const count = random(2, 4)
  const gap = coverWidth / count
  const lamps = range(count).map((index) => ({
    x: Math.round(gap * (index + 0.5)) + random(-14, 14),
    y: random(26, 52),
  }))
  const crowd = (y: number, from: number) =>
    range(16).map((index) => ({ x: from + index * 34 + random(-5, 5), y: y + random(-6, 6), size: random(88, 108) }))
  const isLit = ({ x }: { x: number }) => lamps.some((lamp) => Math.abs(lamp.x - x) < 17)
  const back = crowd(186, -6)
  const front = crowd(216, 10)
  const drawn = (people: typeof back) => join(people.map(({ x, y, size }) => person(x, y, size)))
  return [
    { ink: 'far', d: join(range(7).map((index) => `M${index * 76 - 12} 200v-96a26 26 0 0 1 52 0v96z`)), opacity: 0.45 },
    { ink: 'lamp', d: join(lamps.map(({ x, y }) => `M${x - 9} ${y}L${x - 66} 200h132L${x + 9} ${y}z`)), opacity: 0.2 },
    { ink: 'far', d: drawn(back.filter((one) => !isLit(one))) },
    { ink: 'lamp', d: drawn(back.filter(isLit)) },
    { ink: 'near', d: drawn(front) },
    { ink: 'near', d: join(lamps.map(({ x, y }) => `${rect(x - 1, 0, 2, y)}M${x - 17} ${y + 2}a17 17 0 0 1 34 0z`)) },
    { ink: 'lamp', d: join(lamps.map(({ x, y }) => `M${x - 9} ${y + 2}a9 8 0 0 0 18 0z`)) },
  ]
}

function lighthouse(random: Random): CoverShape[] {
  const x = random(90, 180)
  const top = random(44, 58)
  const boat = random(300, 420)
  const stars = range(random(9, 14)).map(() => disc(random(8, 492), random(8, 96), 1))
  const waves = range(14).map(() => rect(random(x + 60, 480), 142 + 4 * random(1, 11), random(14, 40), 2))
  const shapes: CoverShape[] = [
    { ink: 'lamp', d: join(stars), opacity: 0.7 },
    { ink: 'lamp', d: `M${x} ${top - 7}L560 ${top - 58}v124L${x} ${top + 5}zL-60 ${top - 34}v80z`, opacity: 0.22 },
    { ink: 'far', d: rect(0, 140, coverWidth, 60) },
    { ink: 'lamp', d: join(waves), opacity: 0.5 },
    {
      ink: 'near',
      d: `M0 200v-52q${x - 50}-30 ${x + 10}-14q50 8 92 66zM${x - 17} 140L${x - 11} ${top + 10}h22l6 ${130 - top}z${rect(x - 16, top + 6, 32, 5)}M${x - 11} ${top - 8}a11 10 0 0 1 22 0z${rect(x - 1, top - 26, 2, 10)}`,
    },
    { ink: 'lamp', d: rect(x - 8, top - 8, 16, 14) },
    { ink: 'far', d: `${rect(x - 13, top + 32, 26, 10)}${rect(x - 15, top + 58, 30, 10)}` },
    {
      ink: 'near',
      d: `M${boat} 158h44q-4 12-12 12h-20q-10-2-12-12z${rect(boat + 20, 126, 2, 32)}M${boat + 24} 128v26h18z`,
    },
    { ink: 'lamp', d: disc(boat + 21, 122, 3) },
  ]
  return shapes
}

function lanterns(random: Random): CoverShape[] {
  const roofs = (base: number, min: number, max: number) => {
    const houses: { x: number; y: number; width: number }[] = []
    for (let x = -10; x < coverWidth; x += houses.at(-1)?.width ?? 40) {
      houses.push({ x, y: base - random(min, max), width: random(34, 70) })
    }
    return houses
  }
  const back = roofs(200, 74, 116)
  const front = roofs(200, 44, 76)
  const gable = random(0, 1) === 1
  const drawn = (houses: typeof back) =>
    join(
      houses.map(({ x, y, width }) =>
        gable ? `M${x} 200V${y}l${width / 2}-16l${width / 2} 16V200z` : rect(x, y, width, 200 - y),
      ),
    )
  const windows = front.flatMap(({ x, y, width }) =>
    range(Math.floor(width / 18)).flatMap((index) =>
      random(0, 2) > 0 ? [rect(x + 8 + index * 17, y + 10, 7, 10)] : [],
    ),
  )
  const strings = range(random(2, 3)).map((index) => {
    const slope = random(-14, 14)
    return { left: 16 + slope, right: 16 - slope, sag: 18 + 30 * index + random(-4, 4) }
  })
  const bulbs = strings.flatMap(({ left, right, sag }) =>
    range(13).map((index) => {
      const t = (index + 0.5) / 13
      return { x: Math.round(t * coverWidth), y: Math.round(left + (right - left) * t + 4 * sag * t * (1 - t)) }
    }),
  )
  const cords = strings.map(({ left, right, sag }) => {
    const middle = (left + right) / 2 + 2 * sag
    return `M0 ${left}Q250 ${middle} 500 ${right}v2Q250 ${middle + 2} 0 ${left + 2}z`
  })
  return [
    { ink: 'far', d: drawn(back), opacity: 0.7 },
    { ink: 'near', d: join(cords) },
    { ink: 'lamp', d: join(bulbs.map(({ x, y }) => disc(x, y + 6, 15))), opacity: 0.2 },
    { ink: 'lamp', d: join(bulbs.map(({ x, y }) => disc(x, y + 6, 5))) },
    { ink: 'near', d: drawn(front) },
    { ink: 'lamp', d: join(windows), opacity: 0.85 },
  ]
}

function quay(random: Random): CoverShape[] {
  const moon = { x: random(60, 440), y: random(30, 52), r: random(13, 20) }
  const posts = range(random(3, 5)).map((index, _, { length }) => Math.round(((index + 0.5) * coverWidth) / length))
  const hills = `M0 116q${random(60, 110)}-${random(30, 56)} 200-8q${random(50, 90)}-${random(24, 44)} 170-2q70-${random(14, 34)} 130 4v34H0z`
  const walkers = range(random(2, 4)).map(() => person(random(20, 480), 178, random(74, 86)))
  const gleams = [...posts, moon.x].flatMap((x) =>
    range(5).map((index) => rect(x - random(6, 20), 124 + index * 8, random(14, 36), 2)),
  )
  return [
    { ink: 'lamp', d: disc(moon.x, moon.y, moon.r * 2), opacity: 0.12 },
    { ink: 'lamp', d: disc(moon.x, moon.y, moon.r) },
    { ink: 'far', d: hills, opacity: 0.6 },
    { ink: 'far', d: rect(0, 120, coverWidth, 80) },
    { ink: 'lamp', d: join(gleams), opacity: 0.4 },
    { ink: 'lamp', d: join(posts.map((x) => `M${x - 8} 74L${x - 44} 176h88L${x + 8} 74z`)), opacity: 0.22 },
    {
      ink: 'near',
      d: `${rect(0, 174, coverWidth, 26)}${join(posts.map((x) => `${rect(x - 2, 74, 4, 104)}M${x - 14} 68a14 12 0 0 1 28 0z`))}${join(walkers)}`,
    },
    { ink: 'lamp', d: join(posts.map((x) => `M${x - 10} 68h20l-4 10h-12z`)) },
  ]
}

const scenes = [hall, lighthouse, lanterns, quay]
