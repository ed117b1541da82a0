/** Why this device can neither make nor read codes; null where it can. */
export function whyNoCodes(): 'insecure' | 'old' | null {
  if (!isSecureContext) return 'insecure'
  try {
    void new CompressionStream('deflate-raw')
    return 'subtle' in crypto ? null : 'old'
  } catch {
    return 'old'
  }
}
