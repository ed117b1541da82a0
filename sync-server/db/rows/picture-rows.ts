interface PictureRow {
  /** Hashes the body, in hexadecimal. */
  sha256: string
  /** The format is WebP. */
  body: Buffer
  createdAt: Date
}

export interface EventCoverRow extends PictureRow {
  eventId: number
}

/** Links to an event show this picture. */
export interface EventPreviewRow {
  eventId: number
  /** Hashes what is drawn. */
  hash: string
  /** The format is PNG; it is null where no font could write it. */
  body: Buffer | null
  drawnAt: Date
}

export interface ApplicationFaceRow extends PictureRow {
  applicationId: number
}
