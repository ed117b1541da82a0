/** How long a browser may take to begin reading the file it was told to save. */
const readWithinMs = 30_000

/** Hands a text to the device as a file to keep. @param type its media type */
export function saveFile(name: string, text: string, type: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), readWithinMs)
}
