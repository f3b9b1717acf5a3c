//! Agents of the mesh, from their registration to production (AGT).
