import { decodeQR, decodeQRBatch } from 'qr/decode.js'

type Image = Parameters<typeof decodeQR>[0]

/** Larger pictures take longer and are read no better. */
const longestSide = { frame: 1000, file: 1600 }

let canvas: HTMLCanvasElement | undefined

function pixelsOf(source: CanvasImageSource, width: number, height: number, longest: number): Image {
  const scale = Math.min(1, longest / Math.max(width, height))
  const size = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
  canvas ??= document.createElement('canvas')
  // Another size would clear it, which takes time for each frame.
  if (canvas.width !== size.width || canvas.height !== size.height) Object.assign(canvas, size)
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('There is no canvas')
  context.drawImage(source, 0, 0, size.width, size.height)
  return context.getImageData(0, 0, size.width, size.height)
}

/** It is undefined while the camera sees none. */
export function codeInFrame(video: HTMLVideoElement): string | undefined {
  const { videoWidth, videoHeight } = video
  if (videoWidth === 0) return undefined
  try {
    return decodeQR(pixelsOf(video, videoWidth, videoHeight, longestSide.frame))
  } catch {
    return undefined
  }
}

/** It finds every code in a picture, and throws for a file that is no picture to this browser. */
export async function codesInFile(file: Blob): Promise<string[]> {
  const bitmap = await createImageBitmap(file)
  const pixels = pixelsOf(bitmap, bitmap.width, bitmap.height, longestSide.file)
  bitmap.close()
  const [found = []] = await decodeQRBatch([pixels])
  return found.filter((one) => typeof one === 'string')
}
