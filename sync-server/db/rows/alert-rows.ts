export interface PushSubscriptionRow {
  id: number
  userId: number
  /** The session it was told in: they end together. */
  sessionIdHash: string | null
  deviceId: string
  deviceName: string | null
  endpoint: string
  p256dh: string
  auth: string
  /** Quiet hours, 'HH:MM' in the device's own zone (IANA name); all three or none. */
  quietFrom: string | null
  quietTo: string | null
  quietZone: string | null
  createdAt: Date
  lastSuccessAt: Date | null
  failureCount: number
}

/** A phone that is told of decisions on one application; a phone with several applications has a row for each. */
export interface ApplicantPhoneRow {
  id: number
  applicationId: number
  endpoint: string
  p256dh: string
  auth: string
  createdAt: Date
  lastSuccessAt: Date | null
  failureCount: number
}

export interface VapidKeysRow {
  id: true
  publicKey: string
  privateKey: string
  createdAt: Date
}
