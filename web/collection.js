// A store of the server: search with snippets and facets, groups of duplicates, the outlier plot.
export async function showCollection() {}
