export interface ShrunkPicture {
  readonly base64: string
  readonly type: string
}

const qualities = [0.82, 0.7, 0.55, 0.4, 0.25, 0.1]

/** Cut to its middle. Throws in words where this device cannot read the file. */
export async function shrinkPicture(
  file: Blob,
  { width, height, mostBytes }: { readonly width: number; readonly height: number; readonly mostBytes: number },
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
    const blob = await encoded(canvas, quality)
    if (blob.size <= mostBytes) return { base64: await base64Of(blob), type: blob.type }
  }
  throw new Error('This picture holds too much detail. Please choose another one.')
}

/** JPEG where the browser writes no WebP. */
async function encoded(canvas: HTMLCanvasElement, quality: number): Promise<Blob> {
  const write = (type: string) =>
    new Promise<Blob>((resolve, reject) =>
      canvas.toBlob(
        (blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be made smaller.'))),
        type,
        quality,
      ),
    )
  const webp = await write('image/webp')
  return webp.type === 'image/webp' ? webp : await write('image/jpeg')
}

function base64Of(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () =>
      resolve(typeof reader.result === 'string' ? reader.result.slice(reader.result.indexOf(',') + 1) : ''),
    )
    reader.addEventListener('error', () => reject(new Error('The picture could not be read.')))
    reader.readAsDataURL(blob)
  })
}
