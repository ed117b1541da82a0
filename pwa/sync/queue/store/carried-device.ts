import type { DeviceIdentity } from './outbox-store.ts'

/**
 * Where a device's number and name wait while its storage is being emptied: a page that is left in that moment cannot put them
 * back, and cookies are what the browser leaves. Absent where there is no document, as in the worker.
 */
const page = (globalThis as { readonly document?: { cookie: string } }).document

const cookieName = 'carried-device'
/** As long as a browser keeps any cookie. */
const longestSeconds = 400 * 86_400

function write(value: string, seconds: number): void {
  if (!page) return
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  page.cookie = `${cookieName}=${value}; Path=/; Max-Age=${seconds}; SameSite=Strict${secure}`
}

/** Before the storage is emptied. */
export function carryDevice(device: DeviceIdentity): void {
  write(encodeURIComponent(JSON.stringify(device)), longestSeconds)
}

/** Once the device's number is on the disk again. */
export function putDown(): void {
  write('', 0)
}

/** The device that was carried over an emptying, if a page was left in the middle of one. */
export function carriedDevice(): DeviceIdentity | undefined {
  const text = page?.cookie.split('; ').find((cookie) => cookie.startsWith(`${cookieName}=`))
  if (!text) return undefined
  try {
    const { id, name } = JSON.parse(decodeURIComponent(text.slice(cookieName.length + 1))) as Partial<DeviceIdentity>
    return typeof id === 'string' && typeof name === 'string' ? { id, name } : undefined
  } catch {
    return undefined
  }
}
