/** The server has more of these lists than it answered. */
const cut = new WeakSet<object>()

export function noteCut(list: object): void {
  cut.add(list)
}

export const isCut = (list: object): boolean => cut.has(list)
