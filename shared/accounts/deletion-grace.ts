/** Between the wish to delete an account and its deletion; until then the wish can be taken back. */
export const deletionGraceDays = 14
