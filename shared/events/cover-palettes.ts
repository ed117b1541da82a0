/** The event form uses these names. */
export const coverPalettes = [
  'Lamplight',
  'Harbor',
  'Dusk',
  'Ember',
  'Moss',
  'Rose',
  'Tide',
  'Plum',
  'Copper',
  'Frost',
  'Iris',
  'Midnight',
] as const
export type CoverPalette = (typeof coverPalettes)[number]
