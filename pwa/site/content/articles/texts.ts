import type { Passage } from '../content.ts'
import { briefYourBeacons } from './brief-your-beacons.ts'
import { twoGoodIntroductions } from './two-good-introductions.ts'
import { whenTheWifiGivesUp } from './when-the-wifi-gives-up.ts'

/** The articles' texts by the last part of their address. */
export const articleTexts: Readonly<Record<string, readonly Passage[]>> = {
  'brief-your-beacons': briefYourBeacons,
  'two-good-introductions': twoGoodIntroductions,
  'when-the-wifi-gives-up': whenTheWifiGivesUp,
}
