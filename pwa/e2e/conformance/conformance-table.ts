import { behaviourProofs } from './behaviour-proofs.ts'
import { organizerScreenProofs } from './organizer-screen-proofs.ts'
import type { Proof, ProofTable, Seen } from './proofs.ts'
import { publicScreenProofs } from './public-screen-proofs.ts'
import type { ScreenName } from './seen-screens.ts'

/** Every item of the specification with the place where it is proven. */
export const conformanceTable: ProofTable = {
  ...publicScreenProofs,
  ...organizerScreenProofs,
  ...behaviourProofs,
}

/** The table as rows. */
export function rowsOf(
  table: Readonly<Record<string, Readonly<Record<string, Proof | readonly Proof[]>>>>,
): { section: string; item: string; proofs: readonly Proof[] }[] {
  return Object.entries(table).flatMap(([section, items]) =>
    Object.entries(items).map(([item, proof]) => ({
      section,
      item,
      proofs: Array.isArray(proof) ? (proof as readonly Proof[]) : [proof as Proof],
    })),
  )
}

const isSeen = (proof: Proof): proof is Seen => 'on' in proof

/** The texts that the table says stand on a screen. */
export function textsOn(screen: ScreenName): { text: string; within: boolean }[] {
  return rowsOf(conformanceTable).flatMap(({ item, proofs }) =>
    proofs
      .filter(isSeen)
      .filter(({ on }) => on === screen)
      .map(({ as = item, within = false }) => ({ text: as, within })),
  )
}
