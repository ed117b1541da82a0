import { isInstalled } from './install.ts'

/** What a browser cannot do decides what screens promise. */
export interface BrowserLimits {
  /** Without Background Sync nothing is sent while no page is open. */
  readonly sendsWhenClosed: boolean
  /** Safari, and every browser of an iPhone, deletes what a website saved once it was not opened for a week of use. */
  readonly clearsAfterWeek: boolean
  /** An app on the home screen of an Apple device has a storage of its own, which begins empty. */
  readonly startsEmpty: boolean
}

export function browserLimits(): BrowserLimits {
  const isApple = navigator.vendor.startsWith('Apple')
  return {
    sendsWhenClosed: 'SyncManager' in globalThis,
    clearsAfterWeek: isApple && !isInstalled(),
    startsEmpty: isApple && isInstalled(),
  }
}

/** Says when the changes that wait on this device will leave it. */
export function whenSent({ sendsWhenClosed, clearsAfterWeek }: BrowserLimits): string {
  if (sendsWhenClosed) return 'They are sent automatically once you are online, even after you close Beaconry.'
  return clearsAfterWeek
    ? 'They are sent while Beaconry is open. Open it online within a week: after that, this browser may clear them.'
    : 'They are sent while Beaconry is open. Keep it open, or open it again when you are online.'
}

/** Says why storage may be empty that was not empty before; it says nothing where no reason is known. */
export function whyEmpty({ clearsAfterWeek, startsEmpty }: BrowserLimits): string {
  if (startsEmpty)
    return 'If you have just added Beaconry to this device, what you saved in the browser is still there.'
  return clearsAfterWeek
    ? 'This browser does so when a website is not opened for a week; on your home screen, Beaconry keeps its data.'
    : ''
}
