/** How long a browser may take to begin reading what it was told to save. */
const readWithinMs = 30_000

/** Hands a text to the device as a file to keep. */
export function saveFile(name: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), readWithinMs)
}
