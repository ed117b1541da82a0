export interface ShrunkPicture {
  readonly base64: string
  readonly type: string
}

const qualities = [0.82, 0.7, 0.55, 0.4, 0.25, 0.1]

/** Cuts the picture to its middle. Throws in words where this device cannot read the file. */
export async function shrinkPicture(
  file: Blob,
  { width, height, maxBytes }: { readonly width: number; readonly height: number; readonly maxBytes: number },
): Promise<ShrunkPicture> {
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new Error('This device cannot read the file as a picture. JPEG, PNG and WebP always work.')
  })
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const scale = Math.max(width / bitmap.width, height / bitmap.height)
  const [drawnWidth, drawnHeight] = [bitmap.width * scale, bitmap.height * scale]
  canvas
    .getContext('2d')
    ?.drawImage(bitmap, (width - drawnWidth) / 2, (height - drawnHeight) / 2, drawnWidth, drawnHeight)
  bitmap.close()
  for (const quality of qualities) {
    const picture = encoded(canvas, quality)
    // Four letters hold three bytes.
    if ((picture.base64.length / 4) * 3 <= maxBytes) return picture
  }
  throw new Error('This picture holds too much detail. Please choose another one.')
}

/** JPEG would make transparent parts black. */
function onWhite(canvas: HTMLCanvasElement): HTMLCanvasElement {
  const context = canvas.getContext('2d')
  if (!context) return canvas
  context.globalCompositeOperation = 'destination-over'
  context.fillStyle = 'white'
  context.fillRect(0, 0, canvas.width, canvas.height)
  return canvas
}

/** Encodes as JPEG where the browser writes no WebP. */
function encoded(canvas: HTMLCanvasElement, quality: number): ShrunkPicture {
  const webp = canvas.toDataURL('image/webp', quality)
  const written = webp.startsWith('data:image/webp') ? webp : onWhite(canvas).toDataURL('image/jpeg', quality)
  const [, type, base64] = /^data:(.*?);base64,(.+)$/.exec(written) ?? []
  if (type === undefined || base64 === undefined) throw new Error('The picture could not be made smaller.')
  return { base64, type }
}
