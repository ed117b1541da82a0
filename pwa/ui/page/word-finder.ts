/** Whether all typed words stand in some texts, in any order and case; no word stands in all. */
export function wordFinder(typed: string): (...texts: readonly (string | null)[]) => boolean {
  const words = typed.toLowerCase().split(/\s+/u).filter(Boolean)
  return (...texts) => {
    if (words.length === 0) return true
    const searched = texts.join('\n').toLowerCase()
    return words.every((word) => searched.includes(word))
  }
}
