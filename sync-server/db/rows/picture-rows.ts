interface PictureRow {
  /** Hexadecimal, of the body. */
  sha256: string
  /** WebP. */
  body: Buffer
  createdAt: Date
}

export interface EventCoverRow extends PictureRow {
  eventId: number
}

export interface ApplicationFaceRow extends PictureRow {
  applicationId: number
}
