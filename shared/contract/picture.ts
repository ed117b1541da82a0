import * as z from 'zod'

/** The limit admits base64 of 1 MB, and what is around it. */
export const longestPictureBody = 1_400_000

/** The text is the base64 form of a JPEG, PNG or WebP file of at most 1 MB. */
export const uploadedPicture = z
  .string()
  .min(1)
  .max(1_350_000)
  .regex(/^[A-Za-z0-9+/]+={0,2}$/)
