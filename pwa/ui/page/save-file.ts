/** The browser may read the file this much later. */
const readWithinMs = 30_000

export function saveFile(name: string, content: BlobPart, type: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([content], { type }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), readWithinMs)
}
