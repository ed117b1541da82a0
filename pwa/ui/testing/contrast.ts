import axe from 'axe-core'

interface AxeColors {
  readonly Color: new () => { parseString(css: string): void }
  getContrast(one: object, other: object): number
}

/** The contrast of two opaque colours as CSS writes them, counted as axe counts it. */
export function contrast(...colors: readonly [string, string]): number {
  const { Color, getContrast } = (axe.commons as unknown as { color: AxeColors }).color
  const [one, other] = colors.map((css) => {
    const color = new Color()
    color.parseString(css)
    return color
  })
  return getContrast(one!, other!)
}
